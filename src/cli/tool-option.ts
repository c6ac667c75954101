import { Option } from 'commander';
import type { OperationDescription } from '../operations/index.ts';
import { repeatableOption } from './repeatable-option.ts';
import { inShellWords } from './shell-wording.ts';
import { wholeNumber } from './whole-number.ts';

/** What of a parameter's JSON schema makes an option. */
export interface PropertySchema {
  type?: string;
  description?: string;
  enum?: string[];
}

export function propertiesOf({ inputSchema }: OperationDescription): Record<string, PropertySchema> {
  return inputSchema['properties'] as Record<string, PropertySchema>;
}

/** `short` is one letter. */
export function toolOption(name: string, property: PropertySchema, short?: string): Option {
  const flag = `${short ? `-${short}, ` : ''}--${name.replaceAll('_', '-')}`;
  const help = inShellWords(property.description ?? '');
  switch (property.type) {
    case 'boolean':
      return new Option(flag, help);
    case 'integer':
    case 'number':
      return new Option(`${flag} <number>`, help).argParser(wholeNumber);
    case 'array':
      // A glob may hold commas, so a value is never split.
      return repeatableOption(`${flag} <value>`, help);
    default: {
      const option = new Option(`${flag} <text>`, help);
      return property.enum ? option.choices(property.enum) : option;
    }
  }
}

/** The parameters that were given as options, by the tool's names for them. */
export function givenOptions(
  properties: Readonly<Record<string, PropertySchema>>,
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const given = Object.keys(properties).map((name) => [name, options[camelCase(name)]] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

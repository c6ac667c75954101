import type { z } from 'zod';
import { type ConfigFault, type KeyPath, shownKey } from './config-fault.ts';
import { configJsonSchema, type JsonSchema } from './json-schema.ts';
import { nearKey } from './near-key.ts';
import type { YamlSource } from './yaml-source.ts';

type Issue = z.core.$ZodIssue;

/** What the schema found, in the words of somebody who writes the file. Values are never repeated: one may be a secret. */
export function schemaFaults(issues: readonly Issue[], source: YamlSource): ConfigFault[] {
  return issues.flatMap((issue) => faultsOf(issue, source)).sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

function faultsOf(issue: Issue, source: YamlSource): ConfigFault[] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const at = [...path, key];
      return { key: shownKey(at), line: source.lineOfKey(at), message: unknownKey(key, path, source.value) };
    });
  }
  const written = valueAt(source.value, path);
  return [{ key: shownKey(path), line: source.lineOf(path), message: wordingOf(issue, written) }];
}

function wordingOf(issue: Issue, written: unknown): string {
  if (written === undefined && issue.code !== 'custom') return `is missing${wantedBy(issue)}`;
  if (written === null && issue.code !== 'custom') return 'has no value: give one, or remove the key';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`;
    case 'invalid_union':
      return 'options' in issue && issue.options
        ? `must be ${issue.options.map(String).join(' or ')}`
        : issue.message;
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array') return 'must not be empty';
      return `must be at least ${issue.minimum}`;
    case 'too_big':
      if (issue.origin === 'string') return `must have at most ${issue.maximum} characters`;
      if (issue.origin === 'array') return `must have at most ${issue.maximum} entries`;
      return `must be at most ${issue.maximum}`;
    case 'invalid_key':
      return 'is a name that cannot be used here';
    default:
      return issue.message;
  }
}

function wantedBy(issue: Issue): string {
  if (issue.code === 'invalid_value') return `: must be ${issue.values.map(String).join(' or ')}`;
  if (issue.code === 'invalid_union' && 'options' in issue && issue.options) {
    return `: must be ${issue.options.map(String).join(' or ')}`;
  }
  return issue.code === 'invalid_type' ? `: must be ${typeNames[issue.expected] ?? issue.expected}` : '';
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a section with keys',
  record: 'a section with keys',
};

function unknownKey(key: string, path: KeyPath, value: unknown): string {
  const known = knownKeys(configJsonSchema(), path, value);
  const near = nearKey(key, known);
  return near === null
    ? `is not a key of this section, which has ${known.join(', ')}`
    : `is not a key; did you mean ${near}?`;
}

/** Keys that the section at `path` may have; of several forms, those of the one whose `kind` is written. */
function knownKeys(schema: JsonSchema, path: KeyPath, value: unknown): string[] {
  const form =
    schema.oneOf?.find(({ properties }) => properties?.['kind']?.const === valueAt(value, ['kind'])) ??
    schema;
  const [step, ...rest] = path;
  if (step === undefined) return Object.keys(form.properties ?? {});
  const next =
    typeof step === 'number'
      ? form.items
      : (form.properties?.[step] ??
        (typeof form.additionalProperties === 'object' ? form.additionalProperties : undefined));
  return next ? knownKeys(next, rest, valueAt(value, [step])) : [];
}

function valueAt(value: unknown, path: KeyPath): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string | number, unknown>)[step];
  }
  return at;
}

import { z } from 'zod';
import { editDistance } from '../base/edit-distance.ts';
import { callSaid } from './call-said.ts';
import { invalidInput } from './errors.ts';
import { endLineAliases, parameterAliases, switchAliases, valueAliases } from './parameters.ts';
import { shortened } from './shortened.ts';
import type { Operation } from './types.ts';

type Input = Record<string, unknown>;

/** A call with more keys than this is no call of ours, however it is read. */
const KEYS_MAX = 60;
const UNKNOWN_NAMED_MAX = 5;

/**
 * Parameters as people and models write them, read as what the schema wants: other names for the same thing, numbers and lists as
 * strings, numbers beyond their bounds, an inclusive end line for a count. What cannot be read fails with every fault at once.
 */
export function parseInput(operation: Operation, raw: unknown): { input: Input; notes: string[] } {
  const given = recordOf(operation, raw);
  const { shape } = operation.input;
  const { input, unknown } = named(given, shape);
  const notes = unknown.length === 0 ? [] : [unknownNote(operation, unknown)];
  for (const [key, value] of Object.entries(input)) input[key] = meant(key, value, shape[key]!, notes);

  const faults = Object.entries(input).flatMap(([key, value]) =>
    holdsNul(value) ? [`${key}: holds a NUL`] : [],
  );
  const parsed = operation.input.safeParse(input);
  if (parsed.success && faults.length === 0) return { input: parsed.data, notes };
  for (const issue of parsed.error?.issues ?? []) faults.push(faultOf(issue));
  const mended =
    parsed.error && faults.length === parsed.error.issues.length ? mendedCall(operation, input) : null;
  throw invalidInput(operation.name, faults, mended ?? JSON.stringify(operation.example));
}

const MENDED_SAID_MAX = 500;

/** The very same call with its faults mended or left out; null where that is no call. */
function mendedCall({ input: schema }: Operation, input: Input): string | null {
  const mended = { ...input };
  for (const { path } of schema.safeParse(input).error?.issues ?? []) {
    const key = String(path[0]);
    const near = nearOption(input[key], schema.shape[key]);
    if (near === null) delete mended[key];
    else mended[key] = near;
  }
  const said = callSaid(mended);
  const isCall = Object.keys(mended).length > 0 && schema.safeParse(mended).success;
  return isCall && said.length <= MENDED_SAID_MAX ? said : null;
}

/** The nearest word that a parameter takes. */
function nearOption(value: unknown, schema: z.core.$ZodType | undefined): string | null {
  const inner = schema && innerOf(schema);
  if (!(inner instanceof z.ZodEnum) || typeof value !== 'string' || value.length > 40) return null;
  const near = inner.options
    .map((option) => ({
      option: String(option),
      slips: editDistance(value.toLowerCase(), String(option), 3),
    }))
    .sort((one, other) => one.slips - other.slips)[0];
  return near !== undefined && near.slips <= 3 ? near.option : null;
}

function innerOf(schema: z.core.$ZodType): z.core.$ZodType {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap();
  return inner;
}

function recordOf(operation: Operation, raw: unknown): Input {
  if (raw === undefined || raw === null) return {};
  const value = typeof raw === 'string' ? parsedJson(raw) : raw;
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isRecord && Object.keys(value).length <= KEYS_MAX) return value as Input;
  const fault = isRecord ? `parameters: more than ${KEYS_MAX} of them` : 'parameters: an object is expected';
  throw invalidInput(operation.name, [fault], JSON.stringify(operation.example));
}

/** Each value under the name that the schema has for it. */
function named(given: Input, shape: z.ZodRawShape): { input: Input; unknown: string[] } {
  const input: Input = {};
  const unknown: string[] = [];
  const others: [string, unknown][] = [];
  for (const [key, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    if (Object.hasOwn(shape, key)) input[key] = value;
    else others.push([key, value]);
  }
  for (const [key, value] of others) {
    const target = meantBy(key, shape, input);
    if (target) input[target] = value;
    else if (!applySwitch(key, value, shape, input) && !applyEndLine(key, value, shape, input))
      unknown.push(key);
  }
  return { input, unknown };
}

function meantBy(key: string, shape: z.ZodRawShape, input: Input): string | null {
  for (const [ours, theirs] of Object.entries(parameterAliases)) {
    if (theirs.includes(key) && Object.hasOwn(shape, ours) && input[ours] === undefined) return ours;
  }
  const near = Object.keys(shape).filter(
    (ours) => input[ours] === undefined && ours.length > 3 && editDistance(key.toLowerCase(), ours, 1) <= 1,
  );
  return near.length === 1 ? near[0]! : null;
}

function applySwitch(key: string, value: unknown, shape: z.ZodRawShape, input: Input): boolean {
  if (!Object.hasOwn(switchAliases, key)) return false;
  const meantOnes = switchAliases[key]!(value);
  const known = meantOnes.filter(([ours]) => Object.hasOwn(shape, ours));
  for (const [ours, meantValue] of known) input[ours] ??= meantValue;
  return known.length > 0 || meantOnes.length === 0;
}

function applyEndLine(key: string, value: unknown, shape: z.ZodRawShape, input: Input): boolean {
  if (!endLineAliases.includes(key) || !Object.hasOwn(shape, 'limit') || !Object.hasOwn(shape, 'offset'))
    return false;
  const end = Number(value);
  const start = Number(input['offset'] ?? 1);
  if (Number.isInteger(end) && end >= start && input['limit'] === undefined) input['limit'] = end - start + 1;
  return true;
}

/** The value that was meant, in the kind that the schema wants. */
function meant(key: string, value: unknown, schema: z.core.$ZodType, notes: string[]): unknown {
  const inner = innerOf(schema);
  if (inner instanceof z.ZodNumber) return withinBounds(key, numberOf(value), inner, notes);
  if (inner instanceof z.ZodBoolean) return value === 'true' ? true : value === 'false' ? false : value;
  if (inner instanceof z.ZodArray) return listOf(value);
  if (inner instanceof z.ZodEnum && (typeof value === 'string' || typeof value === 'boolean')) {
    const word = String(value).toLowerCase();
    const known = valueAliases[key] ?? {};
    return inner.options.includes(word)
      ? word
      : (known[word] ?? known[word.replace(/[\s-]+/g, '_')] ?? value);
  }
  if (typeof value === 'number') return String(value);
  // One repository or path in a list is that one.
  return Array.isArray(value) && value.length === 1 && typeof value[0] === 'string' ? value[0] : value;
}

/** `"12"`, and of a line `"L12"`. */
function numberOf(value: unknown): unknown {
  const digits = typeof value === 'string' ? /^\s*L?(-?\d{1,15})\s*$/i.exec(value)?.[1] : undefined;
  return digits === undefined ? value : Number(digits);
}

function withinBounds(key: string, value: unknown, schema: z.ZodNumber, notes: string[]): unknown {
  if (typeof value !== 'number' || Number.isNaN(value)) return value;
  const least = schema.minValue ?? Number.NEGATIVE_INFINITY;
  const most = schema.maxValue ?? Number.POSITIVE_INFINITY;
  const bounded = Math.min(Math.max(Math.trunc(value), least), most);
  if (bounded !== value) notes.push(`${key} ${value} was taken as ${bounded}.`);
  return bounded;
}

function listOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const parsed = value.trim().startsWith('[') ? parsedJson(value) : undefined;
  return Array.isArray(parsed) ? parsed : splitGlobs(value);
}

/** Commas part globs, except inside braces and brackets: `*.{ts,tsx}` is one. */
function splitGlobs(text: string): string[] {
  const globs: string[] = [];
  let depth = 0;
  let current = '';
  for (const char of text) {
    if ('{[('.includes(char)) depth++;
    if ('}])'.includes(char)) depth--;
    if (depth <= 0 && char === ',') {
      globs.push(current);
      current = '';
    } else current += char;
  }
  globs.push(current);
  return globs.map((glob) => glob.trim()).filter((glob) => glob !== '');
}

function holdsNul(value: unknown): boolean {
  return Array.isArray(value) ? value.some(holdsNul) : typeof value === 'string' && value.includes('\0');
}

function faultOf(issue: z.core.$ZodIssue): string {
  const key = issue.path.join('.') || 'parameters';
  if (issue.code === 'too_small' && issue.origin === 'string') return `${key}: must not be empty`;
  if (issue.code === 'too_big' && issue.origin === 'string')
    return `${key}: longer than ${issue.maximum} characters`;
  if (issue.code === 'too_big' && issue.origin === 'array')
    return `${key}: more than ${issue.maximum} of them`;
  if (issue.code === 'invalid_type' && issue.expected === 'string') return `${key}: takes one text`;
  return `${key}: ${issue.message}`;
}

function unknownNote(operation: Operation, keys: readonly string[]): string {
  const shown = keys.slice(0, UNKNOWN_NAMED_MAX).map((key) => `"${shortened(key, 40)}"`);
  const rest = keys.length > shown.length ? ` and ${keys.length - shown.length} more` : '';
  return `${operation.name} has no parameter ${shown.join(', ')}${rest}; left out.`;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

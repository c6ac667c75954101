import { z } from 'zod';
import { editDistance } from './addressing/edit-distance.ts';
import { invalidInput } from './errors.ts';
import { endLineAliases, parameterAliases } from './parameters.ts';
import type { Operation } from './types.ts';

/**
 * Parameters as people and models write them, read as what the schema wants: other names for the same thing, numbers and lists as
 * strings, an inclusive end line for a count. What cannot be read fails with every fault at once.
 */
export function parseInput(
  operation: Operation,
  raw: unknown,
): { input: Record<string, unknown>; notes: string[] } {
  const notes: string[] = [];
  const given = recordOf(operation, raw);
  const shape = operation.input.shape;
  const input: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    if (Object.hasOwn(shape, key) && value !== null) input[key] = value;
  }
  for (const [key, value] of Object.entries(given)) {
    if (Object.hasOwn(shape, key) || value === null || value === undefined) continue;
    const target = meantBy(key, shape, input);
    if (target) input[target] = value;
    else if (!applyEndLine(key, value, shape, input))
      notes.push(`${operation.name} has no parameter "${key}"; it was left out.`);
  }
  for (const [key, value] of Object.entries(input)) input[key] = coerced(value, kindOf(shape[key]!));

  const parsed = operation.input.safeParse(input);
  if (parsed.success) return { input: parsed.data, notes };
  const faults = parsed.error.issues.map(
    (issue) => `${issue.path.join('.') || 'parameters'}: ${issue.message}`,
  );
  throw invalidInput(operation.name, faults, JSON.stringify(operation.example));
}

function recordOf(operation: Operation, raw: unknown): Record<string, unknown> {
  if (raw === undefined || raw === null) return {};
  if (typeof raw === 'string') {
    const parsed = parsedJson(raw);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>;
  }
  if (typeof raw === 'object' && !Array.isArray(raw)) return raw as Record<string, unknown>;
  throw invalidInput(
    operation.name,
    ['parameters: an object is expected'],
    JSON.stringify(operation.example),
  );
}

function meantBy(key: string, shape: z.ZodRawShape, input: Record<string, unknown>): string | null {
  for (const [ours, theirs] of Object.entries(parameterAliases)) {
    if (theirs.includes(key) && Object.hasOwn(shape, ours) && input[ours] === undefined) return ours;
  }
  const near = Object.keys(shape).filter(
    (ours) => input[ours] === undefined && ours.length > 3 && editDistance(key.toLowerCase(), ours, 1) <= 1,
  );
  return near.length === 1 ? near[0]! : null;
}

function applyEndLine(
  key: string,
  value: unknown,
  shape: z.ZodRawShape,
  input: Record<string, unknown>,
): boolean {
  if (!endLineAliases.includes(key) || !Object.hasOwn(shape, 'limit') || !Object.hasOwn(shape, 'offset'))
    return false;
  const end = Number(value);
  const start = Number(input['offset'] ?? 1);
  if (Number.isInteger(end) && end >= start && input['limit'] === undefined) input['limit'] = end - start + 1;
  return true;
}

type Kind = 'number' | 'boolean' | 'array' | 'other';

function kindOf(schema: z.core.$ZodType): Kind {
  let inner: z.core.$ZodType = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap();
  if (inner instanceof z.ZodNumber) return 'number';
  if (inner instanceof z.ZodBoolean) return 'boolean';
  return inner instanceof z.ZodArray ? 'array' : 'other';
}

function coerced(value: unknown, kind: Kind): unknown {
  switch (kind) {
    case 'number':
      return typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value;
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value;
    case 'array': {
      if (typeof value !== 'string') return value;
      const parsed = value.trim().startsWith('[') ? parsedJson(value) : undefined;
      if (Array.isArray(parsed)) return parsed;
      return splitGlobs(value);
    }
    case 'other':
      return typeof value === 'number' ? String(value) : value;
  }
}

/** Commas and blanks part globs, except inside braces and brackets: `*.{ts,tsx}` is one. */
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

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { parameterInvalid, zoektQueryInvalid } from './errors.ts';

/** What a client of zoekt's API asks for, with the defaults in place. */
export interface ZoektApiRequest {
  /** In zoekt's language. */
  query: string;
  repositoryIds: readonly number[] | null;
  filesMax: number;
  /** Matching lines of all files together. */
  matchesMax: number;
  contextLines: number;
  chunks: boolean;
  /** Null is the server's. */
  budgetMs: number | null;
  /** Only how many documents would be looked at is asked for. */
  onlyEstimate: boolean;
}

/** Without a bound of its own zoekt gives all that it finds. */
const FILES_DEFAULT = 1000;
const FILES_MAX = 5000;
const CONTEXT_MAX = 100;

type Json = Readonly<Record<string, unknown>>;

/** As Go reads JSON: names in any letter case, unknown ones left out of account, numbers whole. */
export function readZoektSearch(body: unknown): ZoektApiRequest {
  const request = objectIn(body, 'the body');
  const query = textIn(request, 'Q');
  if (query === '') throw zoektQueryInvalid('missing query');
  const options = objectIn(member(request, 'Opts') ?? {}, 'Opts');
  const count = (name: string) => countIn(options, name);
  const wallNs = count('MaxWallTime');
  return {
    query,
    repositoryIds: idsIn(request),
    filesMax: Math.min(count('MaxDocDisplayCount') || FILES_DEFAULT, FILES_MAX),
    matchesMax: count('MaxMatchDisplayCount') || Number.POSITIVE_INFINITY,
    contextLines: Math.min(count('NumContextLines'), CONTEXT_MAX),
    chunks: member(options, 'ChunkMatches') === true,
    budgetMs: wallNs === 0 ? null : Math.max(1, Math.round(wallNs / 1e6)),
    onlyEstimate: member(options, 'EstimateDocCount') === true,
  };
}

/** The query of a listing, and the form in which it is wanted: 2 is the short one. */
export function readZoektList(body: unknown): { query: string; field: number } {
  const request = objectIn(body, 'the body');
  const options = objectIn(member(request, 'Opts') ?? {}, 'Opts');
  return { query: textIn(request, 'Q'), field: countIn(options, 'Field') };
}

function member(json: Json, name: string): unknown {
  if (Object.hasOwn(json, name)) return json[name];
  const key = Object.keys(json).find((one) => one.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : json[key];
}

function objectIn(value: unknown, name: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw parameterInvalid(name, 'an object');
  return value as Json;
}

function textIn(json: Json, name: string): string {
  const value = member(json, name) ?? '';
  if (typeof value !== 'string') throw parameterInvalid(name, 'a text');
  return value;
}

function countIn(json: Json, name: string): number {
  const value = member(json, name) ?? 0;
  if (typeof value !== 'number' || !Number.isInteger(value)) throw parameterInvalid(name, 'a whole number');
  return Math.max(0, value);
}

function idsIn(request: Json): number[] | null {
  const value = member(request, 'RepoIDs') ?? null;
  if (value === null) return null;
  if (!Array.isArray(value) || !value.every((id) => Number.isInteger(id) && id >= 0)) {
    throw parameterInvalid('RepoIDs', 'a list of whole numbers');
  }
  return value as number[];
}

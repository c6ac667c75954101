import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { brokenIndexFile, newerIndexFile } from './index-errors.ts';
import type { IndexState } from './types.ts';

/**
 * A state file: the line `periscope-index VERSION CRC` (CRC-32 of all that follows it, eight hex digits), then the IndexState as
 * JSON. It stands twice: as `generation-N`, which only one writer can create, and as CURRENT, renamed over the one before it, whose
 * change readers watch. The state with the highest generation counts, wherever it stands: a writer that was stopped between the two
 * steps and goes on much later must not bring an older one back.
 *
 * Version 1: first. A reader accepts its own version alone; an older index is built anew.
 */
export const stateVersion = 1;
export const currentName = 'CURRENT';

export function generationName(generation: number): string {
  return `generation-${generation}`;
}

/** The generation that a file's name tells, or null for another kind of file. */
export function generationOf(name: string): number | null {
  const match = /^generation-(\d{1,15})$/.exec(name);
  return match ? Number(match[1]) : null;
}

export function encodeState(state: IndexState): Buffer {
  const body = Buffer.from(JSON.stringify(state));
  const check = crc32(body).toString(16).padStart(8, '0');
  return Buffer.concat([Buffer.from(`periscope-index ${stateVersion} ${check}\n`), body]);
}

/** `old` is a state of an older format: its index is built anew. */
export function decodeState(file: string, bytes: Buffer): IndexState | 'old' {
  const lineEnd = bytes.indexOf(10);
  const line = /^periscope-index (\d{1,9}) ([0-9a-f]{8})$/.exec(
    bytes.toString('latin1', 0, Math.max(0, lineEnd)),
  );
  if (!line) throw brokenIndexFile(file, 'it does not begin as one');
  const version = Number(line[1]);
  if (version > stateVersion) throw newerIndexFile(file);
  const body = bytes.subarray(lineEnd + 1);
  if (crc32(body) !== Number.parseInt(line[2]!, 16)) throw brokenIndexFile(file, 'its checksum does not fit');
  if (version < stateVersion) return 'old';
  const state = JSON.parse(body.toString('utf8')) as IndexState;
  // Segments that were written before there were facts or chunks say nothing of them.
  const segments = state.segments.map((entry) => ({
    ...entry,
    facts: entry.facts ?? null,
    chunks: entry.chunks ?? null,
  }));
  return { ...state, segments };
}

export interface FoundState {
  /** Null when there is none that can be used: no index yet, an older format, or nothing but broken files. */
  state: IndexState | null;
  /** Highest generation that any file's name tells, whether it can be read or not; 0 for none. */
  generationSeen: number;
  /** Files that are broken. */
  broken: readonly string[];
}

/** What stands in the folder now. Fails with `search/index-file-newer`. */
export async function findState(folder: string): Promise<FoundState> {
  const names = await readdir(folder).catch(absentAsEmpty);
  const generations = names.flatMap((name) => generationOf(name) ?? []).sort((a, b) => b - a);
  const broken: string[] = [];
  const candidates: IndexState[] = [];
  if (names.includes(currentName)) {
    const current = await readState(path.join(folder, currentName), broken);
    if (current) candidates.push(current);
  }
  for (const generation of generations) {
    if (candidates.some((candidate) => candidate.generation > generation)) break;
    const state = await readState(path.join(folder, generationName(generation)), broken);
    // The exclusive file comes first: of two states of one generation it is the one that counts.
    if (state) candidates.unshift(state);
    if (state) break;
  }
  candidates.sort((a, b) => b.generation - a.generation);
  const state = candidates[0] ?? null;
  return { state, generationSeen: Math.max(0, state?.generation ?? 0, ...generations.slice(0, 1)), broken };
}

/** What is published, or null. For whoever wants to know of the index without opening it. */
export async function readIndexState(folder: string): Promise<IndexState | null> {
  return (await findState(folder)).state;
}

async function readState(file: string, broken: string[]): Promise<IndexState | null> {
  try {
    const bytes = await readFile(file);
    const state = decodeState(file, bytes);
    return state === 'old' ? null : state;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ENOENT') return null;
    if (code !== 'search/index-file-broken') throw error;
    broken.push(path.basename(file));
    return null;
  }
}

/** A folder that is not there has no files. */
export function absentAsEmpty(error: { code?: string }): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

/** Names of every file that a state needs. */
export function filesOf(state: IndexState): string[] {
  const files = new Set<string>();
  for (const { file, dictionaries, facts, chunks } of state.segments) {
    files.add(file).add(dictionaries ?? file);
    if (facts !== null) files.add(facts.file);
    if (chunks !== null) files.add(chunks.file);
  }
  for (const { file } of state.revisions) files.add(file);
  for (const { file } of state.scip ?? []) files.add(file);
  if (state.dictionaries !== null) files.add(state.dictionaries);
  if (state.unfinished !== null) files.add(state.unfinished);
  return [...files];
}

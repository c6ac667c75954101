import { readFileSync } from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { vectorFileBroken, vectorFileVersion } from '../errors.ts';
import type { VectorKind } from '../types.ts';
import { writeWholeFile } from './sync-file.ts';

/**
 * `CURRENT`: the line `periscope-vectors VERSION CRC` (CRC-32 of all that follows it, eight hex digits), then the state as JSON. It is
 * replaced as a whole, so a reader sees one state or the next.
 *
 * Version 1: first. A reader accepts its own version alone: vectors can always be made anew.
 */
const STATE_VERSION = 1;
const currentName = 'CURRENT';

export interface SegmentState {
  file: string;
  kind: VectorKind;
  /** What the parts of its rows are numbered by: rows of another edition stand for other pieces of the same texts. */
  edition: string;
  rows: number;
  /** File of the bitmap of deleted rows, null while there are none. */
  deletedFile: string | null;
  deletedRows: number;
}

export interface VectorState {
  /** Grows with every change. */
  generation: number;
  segments: readonly SegmentState[];
}

/** What stands in the folder; an empty state where nothing was written yet. */
export function readVectorState(folder: string): VectorState {
  const file = path.join(folder, currentName);
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return { generation: 0, segments: [] };
    throw error;
  }
  const lineEnd = Math.max(0, bytes.indexOf(10));
  const line = /^periscope-vectors (\d{1,9}) ([0-9a-f]{8})$/.exec(bytes.toString('latin1', 0, lineEnd));
  if (!line) throw vectorFileBroken(file, 'the list of its parts does not begin as one');
  if (Number(line[1]) !== STATE_VERSION) throw vectorFileVersion(file, Number(line[1]), STATE_VERSION);
  const body = bytes.subarray(lineEnd + 1);
  if (crc32(body) !== Number.parseInt(line[2]!, 16)) {
    throw vectorFileBroken(file, 'the list of its parts is not as it was written');
  }
  const state = JSON.parse(body.toString('utf8')) as VectorState;
  // Parts that were written before there were editions have none.
  const segments = state.segments.map((segment) => ({ ...segment, edition: segment.edition ?? '' }));
  return { ...state, segments };
}

export function writeVectorState(folder: string, state: VectorState): void {
  const body = Buffer.from(JSON.stringify(state));
  const check = crc32(body).toString(16).padStart(8, '0');
  const line = Buffer.from(`periscope-vectors ${STATE_VERSION} ${check}\n`);
  writeWholeFile(path.join(folder, currentName), Buffer.concat([line, body]));
}

import { symbolKinds } from '../facts/types.ts';
import { VarintReader, type VarintWriter } from '../facts/varints.ts';
import type { Chunk } from './types.ts';

/**
 * The record of a blob: its chunks one after the other. Numbers are distances to what stands before them, and names that are the same
 * as in the chunk before are not written again.
 */
export function writeChunks(chunks: readonly Chunk[], to: VarintWriter): void {
  let end = 0;
  let line = 1;
  let name = '';
  let parents = '';
  let symbol = -1;
  for (const chunk of chunks) {
    const hasSignature = chunk.signatureStart >= 0;
    const hasDoc = chunk.docStart >= 0;
    const flags =
      (chunk.name === name ? 1 : 0) |
      (chunk.parents === parents ? 2 : 0) |
      (hasSignature ? 4 : 0) |
      (hasDoc ? 8 : 0);
    to.byte(flags);
    to.number(chunk.start - end);
    to.number(chunk.end - chunk.start);
    to.number(chunk.startLine - line + 1);
    to.number(chunk.endLine - chunk.startLine);
    to.byte(kindNumber(chunk.kind));
    to.signed(chunk.symbol - symbol);
    to.number(chunk.part);
    if ((flags & 1) === 0) writeText(chunk.name, to);
    if ((flags & 2) === 0) writeText(chunk.parents, to);
    if (hasSignature) {
      to.signed(chunk.signatureStart - chunk.start);
      to.number(chunk.signatureEnd - chunk.signatureStart);
    }
    if (hasDoc) {
      to.number(chunk.docStart - chunk.start);
      to.number(chunk.docEnd - chunk.docStart);
    }
    ({ end, name, parents, symbol } = chunk);
    line = chunk.endLine;
  }
}

export function readChunks(record: Buffer, count: number): Chunk[] {
  const reader = new VarintReader(record);
  const chunks: Chunk[] = [];
  let end = 0;
  let line = 1;
  let name = '';
  let parents = '';
  let symbol = -1;
  for (let i = 0; i < count; i++) {
    const flags = reader.byte();
    const start = end + reader.number();
    end = start + reader.number();
    const startLine = line + reader.number() - 1;
    line = startLine + reader.number();
    const kind = kindOfNumber(reader.byte());
    symbol += reader.signed();
    const part = reader.number();
    if ((flags & 1) === 0) name = readText(record, reader);
    if ((flags & 2) === 0) parents = readText(record, reader);
    let [signatureStart, signatureEnd, docStart, docEnd] = [-1, -1, -1, -1];
    if (flags & 4) {
      signatureStart = start + reader.signed();
      signatureEnd = signatureStart + reader.number();
    }
    if (flags & 8) {
      docStart = start + reader.number();
      docEnd = docStart + reader.number();
    }
    chunks.push({
      start,
      end,
      startLine,
      endLine: line,
      name,
      kind,
      parents,
      symbol,
      signatureStart,
      signatureEnd,
      docStart,
      docEnd,
      part,
    });
  }
  return chunks;
}

/** Kinds are stored from 1; 0 is none. */
export function kindNumber(kind: Chunk['kind']): number {
  return kind === null ? 0 : symbolKinds.indexOf(kind) + 1;
}

export function kindOfNumber(number: number): Chunk['kind'] {
  return symbolKinds[number - 1] ?? null;
}

function writeText(text: string, to: VarintWriter): void {
  const bytes = Buffer.from(text);
  to.number(bytes.length);
  to.append(bytes);
}

function readText(record: Buffer, reader: VarintReader): string {
  const length = reader.number();
  const text = record.toString('utf8', reader.at, reader.at + length);
  reader.at += length;
  return text;
}

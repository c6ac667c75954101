import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { MaterialisedFile } from '../mirrors/index.ts';
import { decodeText } from './decode-text.ts';
import { parseLfsPointer } from './lfs-pointer.ts';
import type { ScannedFile } from './types.ts';

/** Files read ahead of the one that is handed out, so that the disk and the consumer work at the same time. */
const filesAhead = 8;

/** Each file in order, read from the disk, where it is masked already, and decoded. At most `filesAhead` times `fileBytesMax` is held. */
export async function* scanFiles(
  files: Iterable<MaterialisedFile>,
  options: { fileBytesMax: number; signal: AbortSignal },
): AsyncGenerator<ScannedFile> {
  const ahead: Promise<ScannedFile>[] = [];
  try {
    for (const file of files) {
      options.signal.throwIfAborted();
      ahead.push(scanFile(file, options));
      if (ahead.length === filesAhead) yield await ahead.shift()!;
    }
    while (ahead.length > 0) yield await ahead.shift()!;
  } finally {
    await Promise.allSettled(ahead);
  }
}

async function scanFile(
  file: MaterialisedFile,
  { fileBytesMax }: { fileBytesMax: number },
): Promise<ScannedFile> {
  const skipped = (reason: Extract<ScannedFile, { kind: 'skipped' }>['reason']): ScannedFile => ({
    kind: 'skipped',
    path: file.path,
    reason,
    entryKind: file.kind,
  });
  if (file.kind === 'symlink' || file.kind === 'submodule') return skipped(file.kind);
  if (file.sizeBytes > fileBytesMax) return skipped('too-large');
  if (file.file === null) return skipped('unreadable');
  let bytes: Buffer | null;
  try {
    bytes = await readNoFollow(file.file, fileBytesMax);
  } catch {
    return skipped('unreadable');
  }
  if (bytes === null) return skipped('too-large');
  if (parseLfsPointer(bytes) !== null) return skipped('lfs-pointer');
  const decoded = decodeText(bytes);
  if (decoded === null) return skipped('binary');
  return { kind: 'text', path: file.path, oid: file.oid, ...decoded };
}

/** Null when the file is larger than `bytesMax`. Fails on a symlink and on anything that is no plain file. */
async function readNoFollow(path: string, bytesMax: number): Promise<Buffer | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error('not a plain file');
    if (stat.size > bytesMax) return null;
    return await file.readFile();
  } finally {
    await file.close();
  }
}

import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';

/** A file that is whole at its name or not there at all, and outlasts a loss of power. */
export function writeWholeFile(file: string, bytes: Uint8Array): void {
  const unfinished = `${file}.part`;
  const fd = openSync(unfinished, 'w', 0o600);
  try {
    writeAll(fd, bytes, 0);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  publishFile(unfinished, file);
}

export function publishFile(unfinished: string, file: string): void {
  renameSync(unfinished, file);
  const fd = openSync(path.dirname(file), 'r');
  try {
    fsyncSync(fd);
  } catch {
    // Some file systems, network ones above all, refuse to sync a folder: there the rename alone has to do.
  } finally {
    closeSync(fd);
  }
}

export function writeAll(fd: number, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, position + at);
}

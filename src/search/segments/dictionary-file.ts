import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { DICTIONARY_GROUPS } from './dictionary-groups.ts';
import { segmentBroken, segmentVersion } from './segment-errors.ts';
import { syncFolder } from './sync-folder.ts';
import type { DictionarySet } from './types.ts';

/**
 * Dictionary file, little endian: magic `PDIC`, u32 version, u32 CRC-32 of all that follows, u32 length of each of the eight
 * dictionaries, then their bytes. Named `dict-` and its hash, and never changed: segments name the set they were written with.
 *
 * Version 1: first.
 */
const DICTIONARY_VERSION = 1;
const MAGIC = 0x43494450;
const LENGTHS_AT = 12;
const BYTES_AT = LENGTHS_AT + 4 * DICTIONARY_GROUPS;

/** A dictionary's room in memory; its last byte stays free, as offsets of matches have 16 bits. */
export const DICTIONARY_ROOM = 65_536;

export function dictionarySet(dictionaries: readonly Uint8Array[]): DictionarySet {
  const bytes = new SharedArrayBuffer(DICTIONARY_GROUPS * DICTIONARY_ROOM);
  const hash = createHash('sha256');
  const lengths: number[] = [];
  for (let group = 0; group < DICTIONARY_GROUPS; group++) {
    const dictionary = (dictionaries[group] ?? new Uint8Array()).subarray(0, DICTIONARY_ROOM - 1);
    new Uint8Array(bytes).set(dictionary, group * DICTIONARY_ROOM);
    hash.update(`${dictionary.length}:`).update(dictionary);
    lengths.push(dictionary.length);
  }
  return { hash: hash.digest('hex').slice(0, 32), bytes, lengths };
}

export function dictionaryFileName(hash: string): string {
  return `dict-${hash}`;
}

/** Writes a set into a folder, whole or not at all; returns the file's name. */
export function writeDictionaries(folder: string, set: DictionarySet): string {
  const parts = set.lengths.map((length, group) => dictionaryOf(set, group).subarray(0, length));
  const bytes = Buffer.concat([Buffer.alloc(BYTES_AT), ...parts]);
  bytes.writeUInt32LE(MAGIC, 0);
  bytes.writeUInt32LE(DICTIONARY_VERSION, 4);
  set.lengths.forEach((length, group) => {
    bytes.writeUInt32LE(length, LENGTHS_AT + 4 * group);
  });
  bytes.writeUInt32LE(crc32(bytes.subarray(LENGTHS_AT)), 8);
  const name = dictionaryFileName(set.hash);
  const file = path.join(folder, name);
  const fd = openSync(`${file}.part`, 'w', 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(`${file}.part`, file);
  syncFolder(folder);
  return name;
}

export function openDictionaries(file: string): DictionarySet {
  const bytes = readFileSync(file);
  if (bytes.length < BYTES_AT || bytes.readUInt32LE(0) !== MAGIC) {
    throw segmentBroken(file, 'a file is no set of compression dictionaries');
  }
  const version = bytes.readUInt32LE(4);
  if (version !== DICTIONARY_VERSION) throw segmentVersion(file, version, DICTIONARY_VERSION);
  if (crc32(bytes.subarray(LENGTHS_AT)) !== bytes.readUInt32LE(8)) {
    throw segmentBroken(file, 'a set of compression dictionaries is not as it was written');
  }
  const dictionaries: Buffer[] = [];
  let at = BYTES_AT;
  for (let group = 0; group < DICTIONARY_GROUPS; group++) {
    const length = bytes.readUInt32LE(LENGTHS_AT + 4 * group);
    dictionaries.push(bytes.subarray(at, at + length));
    at += length;
  }
  return dictionarySet(dictionaries);
}

export function dictionaryOf(set: DictionarySet, group: number): Uint8Array {
  return new Uint8Array(set.bytes, group * DICTIONARY_ROOM, DICTIONARY_ROOM);
}

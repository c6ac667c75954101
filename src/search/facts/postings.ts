import { referenceKinds } from './types.ts';
import { VarintReader, type VarintWriter } from './varints.ts';

/**
 * Lists of postings, by ascending blob, each blob as its distance to the one before (the first to -1).
 * Definitions: distance, number of the symbol, kind and whether it is exported; a further one of the same blob has distance 0.
 * Uses: distance, then a byte: the number of the blob's set of kinds among `commonKinds` in the low five bits (31: the set follows)
 * and how often the blob uses the name in the high three (7: what is beyond 7 follows).
 */
export const DEFINITION_EXPORTED = 64;

/** Behind the kinds of references: the blob imports the name (or, in a list of a module, that module). */
export const IMPORTS_IT = 1 << referenceKinds.length;

const kindBit = (kind: (typeof referenceKinds)[number]) => 1 << referenceKinds.indexOf(kind);

const [call, member, type, use] = [kindBit('call'), kindBit('member'), kindBit('type'), kindBit('use')];
const [memberCall, creation, annotation] = [kindBit('member-call'), kindBit('new'), kindBit('annotation')];
const [extending, implementing, embedding] = [kindBit('extends'), kindBit('implements'), kindBit('embeds')];

/** The order is part of the format. */
const commonKinds: readonly number[] = [
  IMPORTS_IT,
  call,
  memberCall,
  creation,
  type,
  annotation,
  use,
  member,
  extending,
  implementing,
  embedding,
  call | memberCall,
  call | use,
  memberCall | member,
  creation | type,
  type | use,
  use | member,
  creation | type | use,
  extending | type,
  IMPORTS_IT | call,
  IMPORTS_IT | type,
  IMPORTS_IT | use,
  IMPORTS_IT | annotation,
  IMPORTS_IT | extending,
  IMPORTS_IT | creation,
  IMPORTS_IT | call | use,
  IMPORTS_IT | type | use,
  IMPORTS_IT | creation | type,
  IMPORTS_IT | creation | type | use,
  IMPORTS_IT | extending | type,
  IMPORTS_IT | implementing,
];
const OTHER_KINDS = 31;
const MANY = 7;
const codeOfKinds = new Map(commonKinds.map((kinds, code) => [kinds, code]));

export function writeUse(to: VarintWriter, distance: number, kinds: number, count: number): void {
  const code = codeOfKinds.get(kinds) ?? OTHER_KINDS;
  to.number(distance);
  to.byte(code | (Math.min(count, MANY) << 5));
  if (code === OTHER_KINDS) to.number(kinds);
  if (count >= MANY) to.number(count - MANY);
}

export function writeDefinition(to: VarintWriter, distance: number, symbol: number, kind: number): void {
  to.number(distance);
  to.number(symbol);
  to.byte(kind);
}

/** Columns of the same length: one entry for each blob, ascending. */
export interface UseList {
  readonly length: number;
  readonly blobs: Uint32Array;
  /** How often the blob uses the name, by whatever kind. */
  readonly counts: Uint32Array;
  /** Bits by position in `referenceKinds`; IMPORTS_IT where it is imported. */
  readonly kinds: Uint16Array;
}

/** Entries that have one of the `wanted` kinds. `count` is the number of all entries. */
export function readUses(bytes: Uint8Array, count: number, wanted: number): UseList {
  const most = Math.min(count, bytes.length);
  const blobs = new Uint32Array(most);
  const counts = new Uint32Array(most);
  const kinds = new Uint16Array(most);
  let at = 0;
  let blob = -1;
  let length = 0;
  // Lists of common names have tens of thousands of entries: the distances are read in place.
  for (let i = 0; i < most; i++) {
    let byte = bytes[at++]!;
    let distance = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at++]!;
      distance |= (byte & 0x7f) << shift;
    }
    blob += distance;
    const head = bytes[at++]!;
    let set = commonKinds[head & OTHER_KINDS] ?? 0;
    let times = head >> 5;
    if ((head & OTHER_KINDS) === OTHER_KINDS || times === MANY) {
      const reader = new VarintReader(bytes, at);
      if ((head & OTHER_KINDS) === OTHER_KINDS) set = reader.number();
      if (times === MANY) times += reader.number();
      at = reader.at;
    }
    if ((set & wanted) === 0) continue;
    blobs[length] = blob;
    counts[length] = times;
    kinds[length++] = set;
  }
  return {
    length,
    blobs: blobs.subarray(0, length),
    counts: counts.subarray(0, length),
    kinds: kinds.subarray(0, length),
  };
}

/** Columns of the same length: one entry for each definition, by ascending blob and number. */
export interface DefinitionList {
  readonly length: number;
  readonly blobs: Uint32Array;
  /** Number of the symbol within its blob. */
  readonly symbols: Uint32Array;
  /** Position in `symbolKinds`. */
  readonly kinds: Uint8Array;
  /** 1 where it can be used from another file. */
  readonly exported: Uint8Array;
}

export function readDefinitions(bytes: Uint8Array, count: number): DefinitionList {
  const length = Math.min(count, bytes.length);
  const blobs = new Uint32Array(length);
  const symbols = new Uint32Array(length);
  const kinds = new Uint8Array(length);
  const exported = new Uint8Array(length);
  const reader = new VarintReader(bytes);
  let blob = -1;
  for (let i = 0; i < length; i++) {
    blob += reader.number();
    blobs[i] = blob;
    symbols[i] = reader.number();
    const kind = reader.byte();
    kinds[i] = kind & ~DEFINITION_EXPORTED;
    exported[i] = kind & DEFINITION_EXPORTED ? 1 : 0;
  }
  return { length, blobs, symbols, kinds, exported };
}

/** The set of kinds as bits. */
export function kindsMask(kinds: readonly (typeof referenceKinds)[number][]): number {
  return kinds.reduce((mask, kind) => mask | kindBit(kind), 0);
}

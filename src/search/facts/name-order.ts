import { foldByte } from '../manifests/manifest-format.ts';

/**
 * The order of names in a dictionary: by their bytes with A-Z as a-z, and of those that are alike then by their bytes as they are. All
 * spellings of a name stand together, so that one look finds it in any case.
 */
export function compareNames(a: Uint8Array, aLength: number, b: Uint8Array, bLength: number): number {
  return compareFolded(a, aLength, b, bLength) || compareBytes(a, aLength, b);
}

/** Below 0 where `a` sorts before `b` when A-Z count as a-z. */
export function compareFolded(a: Uint8Array, aLength: number, b: Uint8Array, bLength: number): number {
  const length = Math.min(aLength, bLength);
  for (let at = 0; at < length; at++) {
    const order = foldByte(a[at]!) - foldByte(b[at]!);
    if (order !== 0) return order;
  }
  return aLength - bLength;
}

/** How many bytes two names share from the front when A-Z count as a-z. */
export function sharedFolded(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && foldByte(a[shared]!) === foldByte(b[shared]!)) shared++;
  return shared;
}

/** The spelling that sorts before all others of the same name. */
export function firstSpelling(name: Uint8Array): Buffer {
  return Buffer.from(name.map((byte) => (byte >= 0x61 && byte <= 0x7a ? byte & ~0x20 : byte)));
}

function compareBytes(a: Uint8Array, length: number, b: Uint8Array): number {
  for (let at = 0; at < length; at++) if (a[at] !== b[at]) return a[at]! - b[at]!;
  return 0;
}

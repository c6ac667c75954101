import { rarity } from '../regex/byte-rarity.ts';

/** A literal as the scanner takes it: a place fits where `byte | mask == byte of needle` holds for each of its bytes. */
export interface PreparedNeedle {
  bytes: Uint8Array;
  mask: Uint8Array;
  /** Positions of its rarest byte and of the next; the same one if it has but one. */
  rare: number;
  next: number;
}

const LOWER = 0x20;

/** `ignoreCase` takes ASCII letters in any case; others are as they are. */
export function prepareNeedle(literal: Uint8Array, ignoreCase: boolean): PreparedNeedle {
  const bytes = Uint8Array.from(literal);
  const mask = new Uint8Array(bytes.length);
  if (ignoreCase) {
    bytes.forEach((byte, i) => {
      if (!isLetter(byte)) return;
      bytes[i] = byte | LOWER;
      mask[i] = LOWER;
    });
  }
  const rareness = (i: number) => {
    const byte = bytes[i]!;
    return mask[i] === 0 ? rarity[byte]! : Math.min(rarity[byte]!, rarity[byte ^ LOWER]!);
  };
  const positions = [...bytes.keys()].sort((a, b) => rareness(b) - rareness(a));
  const rare = positions[0] ?? 0;
  return { bytes, mask, rare, next: positions[1] ?? rare };
}

function isLetter(byte: number): boolean {
  return (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122);
}

/** What stands for a term in a file: 48 bits. Of a million terms one in some hundred million times any two of them are the same. */
export interface TermHash {
  /** 32 bits: terms are ordered by them first. */
  upper: number;
  /** 16 bits. */
  lower: number;
}

export function termHash(term: string): TermHash {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let i = 0; i < term.length; i++) {
    const code = term.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x5bd1e995);
    b ^= b >>> 15;
  }
  return { upper: mixed(a ^ Math.imul(term.length, 0x9e3779b1)), lower: mixed(b) >>> 16 };
}

/** The last step of MurmurHash3: every bit of it depends on all that went in. */
function mixed(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

import { runEnd, tokenBytes } from './byte-classes.ts';

const partBytesMax = 8192;
const partBytesMin = 16;
const dot = 0x2e;

/** Three parts of base64url, the first two of which are objects: `eyJ` is `{"`. */
export function jsonWebTokenEnd(text: Uint8Array, start: number): number | null {
  if (!beginsObject(text, start)) return null;
  const headerEnd = partEnd(text, start);
  if (text[headerEnd] !== dot || !beginsObject(text, headerEnd + 1)) return null;
  const payloadEnd = partEnd(text, headerEnd + 1);
  if (headerEnd - start < partBytesMin || payloadEnd - headerEnd < partBytesMin) return null;
  if (text[payloadEnd] !== dot) return null;
  const end = partEnd(text, payloadEnd + 1);
  return end - payloadEnd < partBytesMin ? null : end;
}

function partEnd(text: Uint8Array, start: number): number {
  return runEnd(text, start, Math.min(text.length, start + partBytesMax), tokenBytes);
}

function beginsObject(text: Uint8Array, at: number): boolean {
  return text[at] === 0x65 && text[at + 1] === 0x79 && text[at + 2] === 0x4a;
}

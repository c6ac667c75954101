/** Sets of bytes as 256 flags. */
export type ByteSet = Uint8Array;

export function byteSet(members: string): ByteSet {
  const set = new Uint8Array(256);
  for (const byte of Buffer.from(members, 'latin1')) set[byte] = 1;
  return set;
}

const lower = 'abcdefghijklmnopqrstuvwxyz';
export const letters = `${lower}${lower.toUpperCase()}`;
export const digits = '0123456789';

export const digitBytes = byteSet(digits);
export const alphanumericBytes = byteSet(letters + digits);
export const wordBytes = byteSet(`${letters}${digits}_`);
export const tokenBytes = byteSet(`${letters}${digits}_-`);
export const base64Bytes = byteSet(`${letters}${digits}+/=_-`);
export const nameBytes = byteSet(`${letters}${digits}_.-`);

/** The end of the run of `set` that begins at `from`, at most at `to`. */
export function runEnd(text: Uint8Array, from: number, to: number, set: ByteSet): number {
  let at = from;
  while (at < to && set[text[at]!] === 1) at++;
  return at;
}

/** The start of the run of `set` that ends at `to`, at least at `from`. */
export function runStart(text: Uint8Array, from: number, to: number, set: ByteSet): number {
  let at = to;
  while (at > from && set[text[at - 1]!] === 1) at--;
  return at;
}

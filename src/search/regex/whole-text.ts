import { isUtf8 } from 'node:buffer';
import { withoutBadBytes } from './bad-bytes.ts';
import { LINE_FEED } from './code-point-set.ts';
import { LINE_FILLER } from './compiler.ts';

const CARRIAGE_RETURN = 0x0d;

/**
 * The bytes of [from, to) as matches over several lines want them: bad bytes replaced, every `\r\n` written as `\n` and LINE_FILLER.
 * The same length, so offsets stay true; a view where nothing had to be changed.
 */
export function wholeText(text: Uint8Array, from: number, to: number): Uint8Array {
  const piece = text.subarray(from, to);
  const pair = nextPair(piece, 0);
  if (!isUtf8(piece)) return withPairsJoined(withoutBadBytes(text, from, to), pair);
  return pair < 0 ? piece : withPairsJoined(Uint8Array.from(piece), pair);
}

function withPairsJoined(bytes: Uint8Array, firstPair: number): Uint8Array {
  for (let pair = firstPair; pair >= 0; pair = nextPair(bytes, pair + 2)) {
    bytes[pair] = LINE_FEED;
    bytes[pair + 1] = LINE_FILLER;
  }
  return bytes;
}

function nextPair(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(CARRIAGE_RETURN, from);
  while (at >= 0 && bytes[at + 1] !== LINE_FEED) at = bytes.indexOf(CARRIAGE_RETURN, at + 1);
  return at;
}

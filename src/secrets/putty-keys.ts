import { holdsKey } from './private-keys.ts';

/** More than the longest key that PuTTY makes. */
const keyBytesMax = 16 * 1024;

/** What may stand between two lines of a key: a break, written out or escaped, and the signs of a change, a comment or a string. */
const joint = /(?:\\[rn]|[\s"'`+>*#,-])*/y;
const base64Line = /[A-Za-z0-9+/]{1,100}={0,2}/y;

/** The lines of a PuTTY key (PPK 2 and 3) behind `Private-Lines:`, which says how many there are. */
export function puttyKeyAfter(text: Buffer, afterLabel: number): { start: number; end: number } | null {
  const window = text.toString('latin1', afterLabel, Math.min(text.length, afterLabel + keyBytesMax));
  const [head, count] = /^ {0,4}(\d{1,3})(?=[\s\\])/.exec(window) ?? [];
  if (head === undefined) return null;
  let start = -1;
  let end = head.length;
  for (let lines = Number(count); lines > 0; lines--) {
    joint.lastIndex = end;
    joint.exec(window);
    base64Line.lastIndex = joint.lastIndex;
    if (!base64Line.test(window)) break;
    if (start < 0) start = joint.lastIndex;
    end = base64Line.lastIndex;
  }
  const span = { start: afterLabel + start, end: afterLabel + end };
  return start >= 0 && holdsKey(text, span.start, span.end) ? span : null;
}

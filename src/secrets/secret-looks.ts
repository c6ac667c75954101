import { assignedValue } from './assigned-values.ts';
import { base64Bytes, byteSet, digitBytes, runEnd, runStart, tokenBytes, wordBytes } from './byte-classes.ts';
import { credentialInUrl } from './credential-urls.ts';
import { curlBytesMax, curlLoginAfter } from './curl-logins.ts';
import { jsonWebTokenEnd } from './json-web-tokens.ts';
import { privateKeyAfter, privateKeyBefore } from './private-keys.ts';
import { puttyKeyAfter } from './putty-keys.ts';
import { entropyOf, isPlainPlaceholder } from './randomness.ts';
import { assignedRule, nameEnds, nameKeywords, shortNames } from './rules/assigned-rules.ts';
import { type TokenRule, tokenRules } from './rules/token-rules.ts';
import type { SecretSpan } from './types.ts';

/** A text that is looked through, from the front. */
export interface Scan {
  readonly text: Buffer;
  /** Where the last span that was found ends. */
  covered: number;
  bytesRead: number;
}

/** Whether a keyword, from `start` to `end`, is a part of a credential. Reads a bounded number of bytes around it. */
export type Look = (scan: Scan, start: number, end: number) => SecretSpan | null;

const base64Characters = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** What a user's name or a key in a URL begins with, and the colon where there is only a password. */
const userCharacters = `${base64Characters}_:%`;

/** Every keyword with what is to be done where it occurs. */
export const looks: readonly { keyword: string; look: Look }[] = [
  ...tokenRules.flatMap((rule) => {
    const look = tokenLook(rule);
    return rule.keywords.map((keyword) => ({ keyword, look }));
  }),
  ...nameKeywords.map((keyword) => ({ keyword, look: assignedLook })),
  ...shortNames.flatMap((name) => [...nameEnds].map((end) => ({ keyword: name + end, look: shortNameLook }))),
  ...[...userCharacters].map((user) => ({ keyword: `://${user}`, look: urlLook })),
  { keyword: 'curl', look: curlLook },
  { keyword: 'private-lines:', look: puttyKeyLook },
  { keyword: '-----begin', look: keyBeginLook },
  { keyword: '-----end', look: keyEndLook },
  ...[...base64Characters].map((next) => ({ keyword: `eyj${next}`, look: jsonWebTokenLook })),
];

const goesOnBytesMax = 16 * 1024;

function tokenLook(rule: TokenRule): Look {
  const {
    id,
    pattern,
    before = 0,
    digitsBefore,
    goesOn,
    keep,
    anywhere = false,
    notInBase64,
    check,
    reach = 200,
  } = rule;
  const entropyMin = rule.entropyMin ?? 2.5;
  return (scan, keywordStart) => {
    const { text } = scan;
    let start = keywordStart - before;
    if (digitsBefore) {
      start = runStart(text, Math.max(0, keywordStart - digitsBefore.max - 1), keywordStart, digitBytes);
      const count = keywordStart - start;
      if (count < digitsBefore.min || count > digitsBefore.max) return null;
    }
    if (start < scan.covered || (!anywhere && !isBoundary(text, start))) return null;
    const window = text.toString('latin1', start, Math.min(text.length, start + reach));
    scan.bytesRead += window.length;
    pattern.lastIndex = 0;
    const [match] = pattern.exec(window) ?? [];
    if (match === undefined) return null;
    const kept = keep === undefined ? 0 : (keep.exec(match)?.[0].length ?? 0);
    let end = start + match.length;
    let secret = match.slice(kept);
    if (goesOn) {
      const set = goesOn === 'word' ? tokenBytes : base64Bytes;
      end = runEnd(text, end, Math.min(text.length, end + goesOnBytesMax), set);
      secret = window.slice(kept, end - start);
    }
    if (notInBase64 && (isJoint[text[start - 1] ?? 0] === 1 || isJoint[text[end] ?? 0] === 1)) return null;
    if (isPlainPlaceholder(secret) || entropyOf(secret) < entropyMin || check?.(secret) === false)
      return null;
    return { start: start + kept, end, rule: id, confidence: rule.confidence ?? 'block' };
  };
}

const isJoint = byteSet('+/');

/** At the start of a word, or after an escape in a string (`\n`). */
function isBoundary(text: Buffer, start: number): boolean {
  if (start <= 0) return start === 0;
  if (wordBytes[text[start - 1]!] === 0) return true;
  return text[start - 2] === 0x5c && /[nrt]/.test(String.fromCharCode(text[start - 1]!));
}

function assignedLook(scan: Scan, keywordStart: number, keywordEnd: number): SecretSpan | null {
  const { text } = scan;
  const assigned = assignedValue(text, keywordStart, keywordEnd);
  if (assigned === null || assigned.start < scan.covered) return null;
  const { nameStart, nameEnd, start, end, isText, endsLine } = assigned;
  scan.bytesRead += end - nameStart;
  const name = text.toString('latin1', nameStart, nameEnd);
  const found = assignedRule({ name, value: text.toString('latin1', start, end), isText, endsLine });
  return found === null ? null : { start, end, ...found };
}

function shortNameLook(scan: Scan, start: number, end: number): SecretSpan | null {
  return assignedLook(scan, start, end - 1);
}

function urlLook(scan: Scan, colon: number): SecretSpan | null {
  const found = credentialInUrl(scan.text, colon);
  if (found === null || found.start < scan.covered) return null;
  return { ...found, rule: 'credential-url', confidence: 'block' };
}

function curlLook(scan: Scan, _: number, afterCurl: number): SecretSpan | null {
  const found = curlLoginAfter(scan.text, afterCurl);
  scan.bytesRead += curlBytesMax;
  if (found === null || found.start < scan.covered) return null;
  return { ...found, rule: 'curl-login', confidence: 'block' };
}

function puttyKeyLook(scan: Scan, start: number, afterLabel: number): SecretSpan | null {
  if (start < scan.covered) return null;
  const found = puttyKeyAfter(scan.text, afterLabel);
  return found === null ? null : { ...found, rule: 'putty-key', confidence: 'block' };
}

function keyBeginLook(scan: Scan, begin: number): SecretSpan | null {
  if (begin < scan.covered) return null;
  const found = privateKeyAfter(scan.text, begin);
  return found === null ? null : { ...found, rule: 'private-key', confidence: 'block' };
}

function keyEndLook(scan: Scan, end: number): SecretSpan | null {
  const found = privateKeyBefore(scan.text, end, scan.covered);
  return found === null ? null : { ...found, rule: 'private-key', confidence: 'block' };
}

function jsonWebTokenLook(scan: Scan, start: number): SecretSpan | null {
  if (start < scan.covered || !isBoundary(scan.text, start)) return null;
  const end = jsonWebTokenEnd(scan.text, start);
  return end === null ? null : { start, end, rule: 'json-web-token', confidence: 'warn' };
}

import { byteSet, digits, letters, runEnd, runStart } from './byte-classes.ts';
import { looksRandom } from './randomness.ts';

/** In `scheme://user:password@host`, the password; in `scheme://key@host`, a key that looks like one. `colon` is the scheme's. */
export function credentialInUrl(text: Uint8Array, colon: number): { start: number; end: number } | null {
  const userStart = colon + 3;
  const limit = Math.min(text.length, userStart + userInfoBytesMax);
  const end = runEnd(text, userStart, limit, userInfoBytes);
  if (text[end] !== atSign || end === userStart || end === limit) return null;
  if (runStart(text, Math.max(0, colon - 20), colon, schemeBytes) === colon) return null;
  if (hostBytes[text[end + 1] ?? 0] !== 1) return null;
  const userInfo = Buffer.from(text.buffer, text.byteOffset + userStart, end - userStart).toString('latin1');
  const separator = userInfo.indexOf(':');
  if (separator < 0) return userInfo.length >= 20 && looksRandom(userInfo) ? { start: userStart, end } : null;
  const password = userInfo.slice(separator + 1);
  if (!isLoginPassword(password)) return null;
  return { start: userStart + separator + 1, end };
}

/** Whether it is a password, and not what documentation or a format writes in its place. */
export const isLoginPassword = (text: string): boolean =>
  text.length >= 4 && !/^%[a-z]$|%\(|^\d+$/.test(text) && !commonWord.test(text);

const userInfoBytesMax = 300;
const atSign = 0x40;
const schemeBytes = byteSet(`${letters}${digits}+.-`);
const hostBytes = byteSet(`${letters}${digits}[`);
const userInfoBytes = byteSet(`${letters}${digits}-._~!&'()+,;=:%^`);

/** What documentation writes in its place. */
const commonWord =
  /^(?:[a-z]{0,12}[-_.]?pass(?:w(?:or)?d)?\d{0,4}|(?:my|your|the|some|user|db|test|admin|root|super)?[-_.]?(?:pass|passw|passwd|password|passphrase|pwd|pw|secret|token|apikey|api[-_]key|key|credentials?|x+|\.+|user(?:name)?|test|guest|admin|root|example|postgres(?:ql)?|mysql|mongo|redis|rabbit(?:mq)?|foo|bar|baz|foobar|changeme|change[-_]me|hunter2|redacted|demo|sample|dummy|fake|mock|here|abc|port)[-_.]?(?:\d{0,4}|here|word))$/i;

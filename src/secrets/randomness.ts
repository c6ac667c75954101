/** Bits per character of a text, by how often each of its characters occurs in it. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** What documentation and tests write where a credential would stand. */
const placeholder =
  /example|sample|dummy|placeholder|changeme|change[-_]me|replace|redacted|insert|your[-_]?|x{4}|\*{3}|\.{3}|0{6}|12345678|abcdef|qwerty|deadbeef|cafebabe|test|fake|mock|foobar|lorem|todo|none|null|undefined|secret|password|passwd|token|^(.)\1+$/i;

export const isPlaceholder = (text: string): boolean => placeholder.test(text);

/** Placeholders that no generated credential holds by chance: also beside a provider's own prefix. */
const plainPlaceholder = /EXAMPLE|x{6}|X{6}|0{10}|(?:1234567890){2}|(.)\1{9}/;

export const isPlainPlaceholder = (text: string): boolean => plainPlaceholder.test(text);

/**
 * Whether a text looks drawn by lot: letters and digits mixed, changing their kind as often as chance makes them. Words, paths,
 * versions and names joined by dashes or capitals do not.
 */
export function looksRandom(text: string): boolean {
  let digits = 0;
  let lower = 0;
  let upper = 0;
  let others = 0;
  let changes = 0;
  let previous = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const kind =
      code >= 0x30 && code <= 0x39
        ? 1
        : code >= 0x61 && code <= 0x7a
          ? 2
          : code >= 0x41 && code <= 0x5a
            ? 3
            : 4;
    if (kind === 1) digits++;
    else if (kind === 2) lower++;
    else if (kind === 3) upper++;
    else others++;
    if (at > 0 && kind !== previous) changes++;
    previous = kind;
  }
  if (digits < 2 || lower + upper < 4 || others * 4 > text.length) return false;
  // A base64 text of mixed case changes its kind at two places in three, one of hex digits at one in two.
  if (changes * 10 < text.length * 3) return false;
  return entropyOf(text) >= (text.length >= 24 ? 3.5 : 3.1);
}

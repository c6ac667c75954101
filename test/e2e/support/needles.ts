/** Finds which of many texts stand in bytes, in UTF-8 or in either UTF-16, however many they are. */
export function createNeedles(texts: Iterable<string>): { foundIn(bytes: Buffer): string[] } {
  /** Of the first three bytes: nearly everywhere it says no. */
  const begins = new Uint8Array(1 << 24);
  const byStart = new Map<number, { text: string; bytes: Buffer }[]>();
  for (const text of texts) {
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(text, 'utf16le'),
      Buffer.from(text, 'utf16le').swap16(),
    ]) {
      begins[bytes.readUIntBE(0, 3)] = 1;
      const start = bytes.readUIntBE(0, startBytes);
      const known = byStart.get(start);
      if (known) known.push({ text, bytes });
      else byStart.set(start, [{ text, bytes }]);
    }
  }
  return {
    foundIn(bytes) {
      const found = new Set<string>();
      for (let at = 0; at + startBytes <= bytes.length; at++) {
        if (begins[(bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!] === 0) continue;
        for (const needle of byStart.get(bytes.readUIntBE(at, startBytes)) ?? none) {
          if (bytes.subarray(at, at + needle.bytes.length).equals(needle.bytes)) found.add(needle.text);
        }
      }
      return [...found];
    },
  };
}

/** The longest whole number that is read in one go. */
const startBytes = 6;
const none: never[] = [];

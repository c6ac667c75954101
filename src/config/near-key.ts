/** The known key that was probably meant, or null: by the share of letter pairs that both have, whatever their case and dashes (Dice). */
export function nearKey(written: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let bestScore = 0.5;
  for (const key of known) {
    const score = likeness(plain(written), plain(key));
    if (score > bestScore) {
      best = key;
      bestScore = score;
    }
  }
  return best;
}

function likeness(left: string, right: string): number {
  if (left === right) return 1;
  const pairs = letterPairs(right);
  let shared = 0;
  for (const pair of letterPairs(left)) {
    const at = pairs.indexOf(pair);
    if (at === -1) continue;
    pairs.splice(at, 1);
    shared++;
  }
  return (2 * shared) / Math.max(1, left.length + right.length - 2);
}

function letterPairs(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2));
}

function plain(key: string): string {
  return key.toLowerCase().replace(/[-_]/g, '');
}

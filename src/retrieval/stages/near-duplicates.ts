/** A chunk as it is compared with others. */
export interface ComparedText {
  name: string;
  text: string;
}

/** Of two texts of one name so much must be the same, counted in runs of words. */
const SAME_SHARE = 0.8;
const RUN_LENGTH = 4;
/** Shorter texts must be the same word for word. */
const SHORT_WORDS = 24;

/**
 * Groups texts that say nearly the same under one name, as forks, copies and vendored folders have them. The first of each group is
 * the one that came first; groups are in the order of these. Positions in `texts`.
 */
export function groupNearDuplicates(texts: readonly ComparedText[]): number[][] {
  const groups: { first: Sketch | null; members: number[] }[] = [];
  const comparable = comparableOnes(texts);
  for (const [at, text] of texts.entries()) {
    const sketch = comparable[at] ? sketchOf(text) : null;
    const same = sketch && groups.find(({ first }) => first !== null && isNearlySame(first, sketch));
    if (same) same.members.push(at);
    else groups.push({ first: sketch, members: [at] });
  }
  return groups.map(({ members }) => members);
}

/** Whether there is another one of its name, or of its letters: nothing else can be nearly the same, and looking closely takes long. */
function comparableOnes(texts: readonly ComparedText[]): boolean[] {
  const letters = texts.map(({ text }) => text.replace(/\s+/g, ''));
  const isShared = (values: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    return values.map((value) => counts.get(value)! > 1);
  };
  const sameName = isShared(texts.map(({ name }) => name));
  const sameLetters = isShared(letters);
  return texts.map((_, at) => sameName[at]! || sameLetters[at]!);
}

interface Sketch {
  name: string;
  /** Its words, without the blanks between them. */
  words: string;
  isShort: boolean;
  /** Of its runs of words, each once, ascending. */
  runs: Uint32Array;
}

function sketchOf({ name, text }: ComparedText): Sketch {
  const words = text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
  const isShort = words.length < SHORT_WORDS;
  const hashes = words.map(hashOf);
  const runs = new Set<number>();
  for (let at = 0; !isShort && at + RUN_LENGTH <= hashes.length; at++) {
    let run = 0;
    for (let i = 0; i < RUN_LENGTH; i++) run = Math.imul(run ^ hashes[at + i]!, 0x01000193) ^ (run >>> 13);
    runs.add(run >>> 0);
  }
  return { name, words: words.join(' '), isShort, runs: Uint32Array.from(runs).sort() };
}

function isNearlySame(a: Sketch, b: Sketch): boolean {
  if (a.words === b.words) return true;
  if (a.isShort || b.isShort || a.name !== b.name) return false;
  const [fewer, more] = a.runs.length < b.runs.length ? [a.runs, b.runs] : [b.runs, a.runs];
  if (fewer.length < SAME_SHARE * more.length) return false;
  let both = 0;
  for (let i = 0, j = 0; i < fewer.length && j < more.length; ) {
    const [x, y] = [fewer[i]!, more[j]!];
    if (x === y) both++;
    if (x <= y) i++;
    if (y <= x) j++;
  }
  return both >= SAME_SHARE * (fewer.length + more.length - both);
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

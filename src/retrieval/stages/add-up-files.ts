/** A chunk that was scored, with what tells its file. */
export interface ChunkOfFile {
  score: number;
  /** Between equal ones. */
  key: number;
  /** By which files are told apart. */
  document: number;
  /** Repository and folder. */
  folder: string;
  /** Words of the question that it has. */
  words: readonly string[];
}

/** Each further chunk of a file counts so much of what the one before it counts. */
const NEXT = 0.4;
/** As shares of the best score: what a file gains that has every word of the question, and one in the folder of which most was found. */
const COVERAGE = 0.5;
const FOLDER = 0.1;

/**
 * The best chunk of each file takes on what speaks for the whole file: its further chunks, each less than the one before, the words of
 * the question that they have together, and what else was found in its folder. The others keep their scores. Where files are asked for,
 * one that is about the question in five places comes before one that has a single better one. Positions in `chunks`, the best first.
 */
export function addUpFiles(
  chunks: readonly ChunkOfFile[],
  coverage: (words: ReadonlySet<string>) => number,
): { at: number; score: number }[] {
  const ranked = chunks
    .map(({ score, key }, at) => ({ at, score, key }))
    .sort((a, b) => b.score - a.score || a.key - b.key);
  const best = Math.max(ranked[0]?.score ?? 0, 0);
  const files = new Map<number, typeof ranked>();
  for (const one of ranked) {
    const { document } = chunks[one.at]!;
    const known = files.get(document);
    if (known) known.push(one);
    else files.set(document, [one]);
  }
  const folders = new Map<string, number>();
  for (const members of files.values()) {
    const [first] = members;
    first!.score = members.reduceRight((sum, { score }) => Math.max(0, score) + NEXT * sum, 0);
    const words = new Set(members.flatMap(({ at }) => chunks[at]!.words));
    first!.score += COVERAGE * best * coverage(words);
    const { folder } = chunks[first!.at]!;
    folders.set(folder, (folders.get(folder) ?? 0) + first!.score);
  }
  const most = Math.max(...folders.values(), Number.MIN_VALUE);
  for (const [first] of files.values())
    first!.score += (FOLDER * best * folders.get(chunks[first!.at]!.folder)!) / most;
  return ranked.sort((a, b) => b.score - a.score || a.key - b.key).map(({ at, score }) => ({ at, score }));
}

import { FieldNorms } from './field-norms.ts';
import type { ChunkCoverage, KeywordGround, KeywordWeights } from './keyword-types.ts';
import type { OpenChunks } from './open-chunks.ts';
import type { PathTerms, PathTermsOf } from './path-terms.ts';
import { type ChunkField, chunkFields } from './types.ts';

/** What a view shows of chunks: all figures are of what is shown, and of nothing beside it. */
export interface VisibleChunks {
  /** By segment, by chunk: 1 where it is shown. Null where none is. */
  readonly shown: readonly (Uint8Array | null)[];
  readonly coverage: ChunkCoverage;
  readonly meanWords: Readonly<Record<ChunkField, number>>;
  readonly meanPathWords: number;
  /** By manifest. */
  readonly pathTerms: readonly PathTerms[];
  /** By word: visible chunks that have it. */
  readonly chunksWith: Map<string, number>;
  readonly files: readonly (OpenChunks | null)[];
  readonly norms: WeakMap<KeywordWeights, FieldNorms>;
}

/** Words whose counts are kept for a view. */
const WORDS_KEPT_MAX = 10_000;

/** `paths` keeps what is of a manifest alone, whoever sees it and in whatever state of the index. */
export function visibleChunks(
  { view, segments, manifests }: KeywordGround,
  paths: PathTermsOf,
): VisibleChunks {
  const sums: Record<ChunkField, number> = { name: 0, outline: 0, doc: 0, body: 0 };
  const coverage = { chunks: 0, texts: 0, pendingTexts: 0 };
  const shown = segments.map(({ chunks: open }, segment) => {
    const ranks = view.rankOfBlob[segment];
    if (!ranks) return null;
    const isShown = open === null ? null : new Uint8Array(open.chunks);
    for (let blob = 0; blob < ranks.length; blob++) {
      if (ranks[blob] === 0) continue;
      coverage.texts++;
      if (open === null || isShown === null) {
        coverage.pendingTexts++;
        continue;
      }
      const { chunkStarts, nameWords, outlineWords, docWords, bodyWords } = open.tables;
      for (let chunk = chunkStarts[blob]!; chunk < chunkStarts[blob + 1]!; chunk++) {
        isShown[chunk] = 1;
        coverage.chunks++;
        sums.name += nameWords[chunk]!;
        sums.outline += outlineWords[chunk]!;
        sums.doc += docWords[chunk]!;
        sums.body += bodyWords[chunk]!;
      }
    }
    return isShown;
  });
  const mean = (sum: number) => Math.max(1e-9, sum / Math.max(1, coverage.chunks));
  const pathTerms = manifests.map((manifest) => paths.of(manifest));
  const pathWords = pathTerms.reduce((sum, { words }) => sum + words, 0);
  return {
    shown,
    coverage,
    meanWords: Object.fromEntries(chunkFields.map((field) => [field, mean(sums[field])])) as Record<
      ChunkField,
      number
    >,
    pathTerms,
    meanPathWords: Math.max(1e-9, pathWords / Math.max(1, view.documents)),
    chunksWith: new Map(),
    norms: new WeakMap(),
    files: segments.map(({ chunks }) => chunks),
  };
}

export function rememberCount({ chunksWith }: VisibleChunks, word: string, chunks: number): void {
  if (chunksWith.size >= WORDS_KEPT_MAX) chunksWith.clear();
  chunksWith.set(word, chunks);
}

/** Made once for the same weights. */
export function normsOf({ norms, meanWords }: VisibleChunks, weights: KeywordWeights): FieldNorms {
  let made = norms.get(weights);
  if (made === undefined) {
    made = new FieldNorms(weights, meanWords);
    norms.set(weights, made);
  }
  return made;
}

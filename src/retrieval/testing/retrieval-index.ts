import path from 'node:path';
import { InThreadSearch } from '../../search/engine/testing/in-thread-search.ts';
import { SmallIndex, type TestRepository } from '../../search/engine/testing/small-index.ts';
import { ChunksReader, type IndexQuestion, type IndexSearch } from '../../search/index.ts';
import type { Extraction } from '../../symbols/graph/testing/graph-index.ts';
import { GraphAnswers } from '../../symbols/index.ts';
import {
  loadStaticEmbedder,
  openVectorWriter,
  quantize,
  type VectorKind,
  type VectorWriter,
} from '../../vectors/index.ts';
import { createRetrieval, type RetrievalDeps, type RetrievalOptions } from '../create-retrieval.ts';
import { defaultWeights } from '../scorer/scorer-weights.ts';
import { RetrievalAnswers } from '../thread/retrieval-answers.ts';
import type { RetrievalQuestion } from '../thread/retrieval-question.ts';
import type { RankingSettings, RetrievalAnswer, RetrievalRequest } from '../types.ts';
import { createVectorShelf, type VectorShelf } from '../vector-shelf.ts';

export const everyStage: RankingSettings = {
  keywords: true,
  table: true,
  encoder: true,
  expansion: true,
  scorer: true,
  files: true,
  crossEncoder: true,
  nearDuplicates: true,
  fusionK: 10,
  weights: defaultWeights,
};

/** An encoder of which nobody needs a model: words by their letters, in so many numbers. */
export const letterKind: VectorKind = { model: 'letters', dimensions: 32, preparation: 'tests' };

export function letterVector(text: string): Float32Array {
  const vector = new Float32Array(letterKind.dimensions);
  for (const letter of text.toLowerCase().match(/[a-z]/g) ?? []) vector[letter.charCodeAt(0) - 97]! += 1;
  vector[31] = 0.1;
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** An index that is asked by meaning in the thread that asks, with vectors where a test wants some. */
export class RetrievalIndex {
  readonly index: SmallIndex;
  readonly vectorFolder: string;
  readonly #answers = new RetrievalAnswers(new GraphAnswers());
  #search: InThreadSearch | null = null;
  #shelf: VectorShelf | null = null;
  #writer: VectorWriter | null = null;

  private constructor(index: SmallIndex) {
    this.index = index;
    this.vectorFolder = path.join(index.folder, 'vectors');
  }

  static async create(extract: Extraction): Promise<RetrievalIndex> {
    return new RetrievalIndex(await SmallIndex.create(extract));
  }

  async publish(repositories: readonly TestRepository[]): Promise<void> {
    await this.index.publish(repositories);
    await this.#search?.refresh();
  }

  async merge(): Promise<void> {
    await this.index.merge();
    await this.#search?.refresh();
  }

  /** Gives each chunk of the repositories its vector of the table, and those that `isEncoded` one of the encoder. */
  async embed(
    repositories: readonly TestRepository[],
    isEncoded: (path: string, part: number) => boolean = () => false,
  ): Promise<void> {
    const ground = (await this.#opened()).ground({
      scope: repositories,
      revisions: new Map(),
      budgetMs: 60_000,
      generation: null,
      question: null,
    });
    const embedder = loadStaticEmbedder();
    const table = new Map<string, { owner: number; part: number; vector: ReturnType<typeof quantize> }>();
    const encoded: typeof table = new Map();
    const reader = new ChunksReader();
    for (const manifest of ground.manifests) {
      for (let row = 0; row < manifest.rows; row++) {
        const owner = manifest.blobIds[row]!;
        if (owner === 0) continue;
        const segment = ground.segments.find(({ slot }) => slot === ground.table[2 * owner]! - 1)!;
        const blob = ground.table[2 * owner + 1]!;
        const text = ground.reader.blobText(segment.file, blob);
        for (const [part, chunk] of reader.chunksOf(segment.chunks!, blob).entries()) {
          const body = text.toString('utf8', chunk.start, chunk.end);
          const key = `${owner} ${part}`;
          const pathOf = manifest.path(row);
          const document = { name: chunk.name, path: '', signature: '', body };
          table.set(key, { owner, part, vector: embedder.embedDocument(document) });
          if (isEncoded(pathOf, part))
            encoded.set(key, { owner, part, vector: quantize(letterVector(`${chunk.name} ${body}`)) });
        }
      }
    }
    this.#writer ??= openVectorWriter({ folder: this.vectorFolder });
    const writer = this.#writer;
    writer.append(embedder.kind, [...table.values()]);
    if (encoded.size > 0) writer.append(letterKind, [...encoded.values()]);
    this.#shelf?.close();
    this.#shelf = createVectorShelf({ folder: this.vectorFolder }, { clock: { now: () => 0 } });
  }

  async ask(
    request: Pick<RetrievalRequest, 'question' | 'scope'> & Partial<RetrievalRequest>,
    options: Partial<RetrievalOptions> = {},
    deps: Partial<RetrievalDeps> = {},
  ): Promise<RetrievalAnswer> {
    await this.#opened();
    const retrieval = createRetrieval(
      { ranking: everyStage, ...options },
      { index: this.asked(), vectors: this.#shelf, encoder: null, crossEncoder: null, now: () => 0, ...deps },
    );
    return retrieval.retrieve(
      { revisions: new Map(), filters: {}, limit: 10, budgetMs: 60_000, ...request },
      new AbortController().signal,
    );
  }

  /** What threads do, without the threads. */
  asked(): Pick<IndexSearch, 'ask'> {
    return {
      ask: async <Answer extends { next: unknown }>(asked: IndexQuestion): Promise<Answer> => {
        const ground = (await this.#opened()).ground(asked);
        const answer = this.#answers.answer(asked.question as RetrievalQuestion, ground);
        return JSON.parse(JSON.stringify(answer)) as Answer;
      },
    };
  }

  async close(): Promise<void> {
    this.#shelf?.close();
    await this.#search?.close();
    this.index.remove();
  }

  async #opened(): Promise<InThreadSearch> {
    this.#search ??= await InThreadSearch.open(this.index.folder);
    return this.#search;
  }
}

/** `REPOSITORY:path#Container` of each hit, the best first. */
export function shownHits({ hits }: RetrievalAnswer): string[] {
  return hits.map(({ place, container }) => `${place.repositoryId}:${place.path}#${container}`);
}

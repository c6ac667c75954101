import { type OpenIndex, openIndex } from '../../index-folder/open-index.ts';
import { generationMessage, type KnownGenerations } from '../generation-message.ts';
import { type OpenedSegment, segmentOpener } from '../index-segments.ts';
import { ThreadSearch } from '../thread-search.ts';
import type { Scope, SearchAnswer, SearchRequest } from '../types.ts';

/** The engine in the thread that asks: what a worker does, without the worker. */
export class InThreadSearch {
  readonly #index: OpenIndex<OpenedSegment>;
  readonly #thread: ThreadSearch;
  readonly #known: KnownGenerations = new Map();
  readonly #scopes = new Map<Scope, number>();
  #asked = 0;

  private constructor(index: OpenIndex<OpenedSegment>) {
    this.#index = index;
    this.#thread = new ThreadSearch({
      ringBytesMax: 1 << 22,
      viewsMax: 8,
      scopesMax: 64,
      forgetsDecoded: false,
      stop: new SharedArrayBuffer(4),
    });
  }

  static async open(folder: string): Promise<InThreadSearch> {
    const index = await openIndex({ folder, openSegment: segmentOpener(folder), pollMs: 1e6 });
    return new InThreadSearch(index);
  }

  async refresh(): Promise<void> {
    await this.#index.refresh();
  }

  search(request: SearchRequest): SearchAnswer {
    const generation = this.#index.current()!;
    if (!this.#known.has(generation.generation)) {
      this.#thread.open(generationMessage(this.#known, generation, new Set([generation.generation])));
    }
    const { scope, ...rest } = request;
    let scopeId = this.#scopes.get(scope);
    const isKnown = scopeId !== undefined;
    scopeId ??= this.#scopes.size + 1;
    this.#scopes.set(scope, scopeId);
    return this.#thread.search({
      kind: 'search',
      id: ++this.#asked,
      generation: generation.generation,
      scopeId,
      scope: isKnown ? null : scope,
      request: rest,
    });
  }

  async close(): Promise<void> {
    await this.#index.close();
  }
}

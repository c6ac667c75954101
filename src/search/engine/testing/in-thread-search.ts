import { openChunks } from '../../chunks/open-chunks.ts';
import { openFacts } from '../../facts/open-facts.ts';
import { type OpenIndex, openIndex } from '../../index-folder/open-index.ts';
import { openScip } from '../../scip/open-scip.ts';
import { generationMessage, type KnownGenerations } from '../generation-message.ts';
import { type OpenedSegment, segmentOpener } from '../index-segments.ts';
import { ThreadSearch } from '../thread-search.ts';
import type { AskedGround, IndexQuestion, Scope, SearchAnswer, SearchRequest } from '../types.ts';

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
    const index = await openIndex({
      folder,
      openSegment: segmentOpener(folder),
      openFacts,
      openChunks,
      openScip,
      pollMs: 1e6,
    });
    return new InThreadSearch(index);
  }

  async refresh(): Promise<void> {
    await this.#index.refresh();
  }

  search(request: SearchRequest): SearchAnswer {
    const { scope, ...rest } = request;
    return this.#thread.search({ kind: 'search', ...this.#sent(scope), request: rest });
  }

  /** What an answerer of other questions is given. */
  ground({ scope, revisions, budgetMs, question }: IndexQuestion): AskedGround {
    return this.#thread.ground({ kind: 'ask', ...this.#sent(scope), revisions, budgetMs, question });
  }

  #sent(scope: Scope): { id: number; generation: number; scopeId: number; scope: Scope | null } {
    const generation = this.#index.current()!;
    if (!this.#known.has(generation.generation)) {
      this.#thread.open(generationMessage(this.#known, generation, new Set([generation.generation])));
    }
    let scopeId = this.#scopes.get(scope);
    const isKnown = scopeId !== undefined;
    scopeId ??= this.#scopes.size + 1;
    this.#scopes.set(scope, scopeId);
    const { generation: number } = generation;
    return { id: ++this.#asked, generation: number, scopeId, scope: isKnown ? null : scope };
  }

  async close(): Promise<void> {
    await this.#index.close();
  }
}

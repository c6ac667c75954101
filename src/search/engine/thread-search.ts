import { LRUCache } from 'lru-cache';
import { attachChunks } from '../chunks/open-chunks.ts';
import { FactsReader } from '../facts/facts-reader.ts';
import { attachFacts } from '../facts/open-facts.ts';
import { damagedFileOf, noteDamage } from '../index-folder/damage-notes.ts';
import { scipKey } from '../index-folder/open-index.ts';
import { attachManifest, type Manifest } from '../manifests/manifest.ts';
import type { TextPattern } from '../queries/types.ts';
import { compileRegex, type Regex } from '../regex/regex.ts';
import { OpenScip } from '../scip/open-scip.ts';
import { attachSegment, type SegmentHandle } from '../segments/open-segment.ts';
import { BesideFiles } from './beside-files.ts';
import { ContentMatcher, roomForLines } from './content-matcher.ts';
import { missingTexts } from './missing-texts.ts';
import { PathMatcher } from './path-matcher.ts';
import { RevisionRankings } from './revision-rankings.ts';
import { runQuery } from './run-query.ts';
import { RunningDeadline, SearchDeadline } from './search-deadline.ts';
import { generationGone } from './search-errors.ts';
import type {
  AskMessage,
  GenerationMessage,
  SearchMessage,
  SearchWorkerData,
  SentRevision,
} from './search-messages.ts';
import type { ContentTest } from './search-plan.ts';
import { SearchedFacts } from './searched-facts.ts';
import { type ShownRevision, shownRevisions } from './searched-revisions.ts';
import { cutBlobs, type SearchedSegment } from './searched-segment.ts';
import { SymbolMatcher } from './symbol-matcher.ts';
import type { AskedGround, Scope, SearchAnswer } from './types.ts';
import { type View, viewOf } from './view.ts';
import { WatchingReader } from './watching-reader.ts';

/** What a scope shows of a generation. */
export interface ScopeView {
  readonly shown: readonly ShownRevision[];
  readonly manifests: readonly Manifest[];
  readonly view: View;
  readonly rankings: RevisionRankings;
  /** By manifest: documents whose text cannot be read. Null where every text can. */
  readonly missing: Uint32Array | null;
}

/** A generation as a thread has it. */
export interface ThreadGeneration {
  readonly generation: number;
  /** Where blobs lie. */
  readonly table: Uint32Array;
  readonly segments: readonly SearchedSegment[];
  /** Those that it has, whether they could be opened or not. */
  readonly slots: ReadonlyMap<string, number>;
  /** By segment: the file of its facts. */
  readonly factsFiles: ReadonlyMap<string, string>;
  readonly chunksFiles: ReadonlyMap<string, string>;
  /** By `scipKey`. */
  readonly scip: ReadonlyMap<string, OpenScip>;
  readonly revisions: ReadonlyMap<string, OpenRevision>;
  /** False: texts of some of its documents may be missing. */
  readonly isWhole: boolean;
}

interface OpenRevision {
  readonly entry: Omit<SentRevision, 'manifest'>;
  readonly manifest: Manifest;
}

const PATTERNS_MAX = 64;
const NAME_PATTERNS_MAX = 32;

/** All that one thread keeps between searches. */
export class ThreadSearch {
  readonly #reader: WatchingReader;
  readonly #blockLines = roomForLines();
  readonly #stop: Int32Array;
  readonly #running = new RunningDeadline();
  readonly #forgetsDecoded: boolean;
  readonly #generations = new Map<number, ThreadGeneration>();
  readonly #files = new Map<string, Omit<SearchedSegment, 'slot' | 'facts' | 'chunks'>>();
  /** Of segments that could not be opened here: tried again with each search, as nobody sends them twice. */
  readonly #unopened = new Map<string, SegmentHandle>();
  readonly #facts = new BesideFiles(attachFacts);
  readonly #chunks = new BesideFiles(attachChunks);
  readonly #factsReader = new FactsReader();
  readonly #scopes: LRUCache<number, Scope>;
  readonly #views: LRUCache<string, ScopeView>;
  readonly #regexes = new LRUCache<string, Regex>({ max: PATTERNS_MAX });
  readonly #contentMatchers = new LRUCache<string, ContentMatcher>({ max: PATTERNS_MAX });
  readonly #symbolMatchers = new LRUCache<string, SymbolMatcher>({ max: PATTERNS_MAX });
  readonly #pathMatchers = new LRUCache<string, PathMatcher>({ max: PATTERNS_MAX });
  /** Of patterns for names of repositories and branches: which names have them. */
  readonly #names = new LRUCache<string, Map<string, boolean>>({ max: NAME_PATTERNS_MAX });

  constructor({ ringBytesMax, viewsMax, scopesMax, forgetsDecoded, stop }: SearchWorkerData) {
    this.#reader = new WatchingReader({ ringBytes: ringBytesMax });
    this.#forgetsDecoded = forgetsDecoded;
    this.#stop = new Int32Array(stop);
    this.#scopes = new LRUCache({ max: scopesMax });
    this.#views = new LRUCache({ max: viewsMax });
  }

  /** Takes over a generation, and closes what only those had that are no longer wanted. */
  open({ generation, places, segments, scip, revisions, isWhole, kept }: GenerationMessage): void {
    for (const { file, handle, facts, chunks } of segments) {
      if (handle !== null && !this.#files.has(file)) this.#attach(file, handle);
      this.#facts.take(facts);
      this.#chunks.take(chunks);
    }
    const known = [...this.#generations.values()];
    const opened = revisions.map(({ key, sent }): [string, OpenRevision] => {
      if (sent === null) return [key, known.find((other) => other.revisions.has(key))!.revisions.get(key)!];
      const { manifest, ...entry } = sent;
      return [key, { entry, manifest: attachManifest(manifest) }];
    });
    const slots = new Map(segments.map(({ file, slot }) => [file, slot]));
    const factsFiles = new Map(
      segments.flatMap(({ file, facts }): [string, string][] => (facts ? [[file, facts.file]] : [])),
    );
    const chunksFiles = new Map(
      segments.flatMap(({ file, chunks }): [string, string][] => (chunks ? [[file, chunks.file]] : [])),
    );
    const knownScip = new Map(
      known.flatMap((other) => [...other.scip.values()].map((open): [string, OpenScip] => [open.file, open])),
    );
    this.#generations.set(generation, {
      generation,
      table: new Uint32Array(places),
      segments: this.#opened({ slots, factsFiles, chunksFiles }),
      slots,
      factsFiles,
      chunksFiles,
      scip: new Map(
        scip.map(({ key, file, handle }) => [
          key,
          handle === null ? knownScip.get(file)! : new OpenScip(handle),
        ]),
      ),
      revisions: new Map(opened),
      isWhole,
    });
    for (const number of this.#generations.keys())
      if (!kept.includes(number)) this.#generations.delete(number);
    const isWanted = (file: string) => [...this.#generations.values()].some(({ slots }) => slots.has(file));
    for (const file of this.#unopened.keys()) if (!isWanted(file)) this.#unopened.delete(file);
    for (const [file, { file: open }] of this.#files) {
      if (isWanted(file)) continue;
      open.close();
      this.#files.delete(file);
    }
    const inUse = [...this.#generations.values()];
    this.#facts.keepOnly(new Set(inUse.flatMap(({ factsFiles }) => [...factsFiles.values()])));
    this.#chunks.keepOnly(new Set(inUse.flatMap(({ chunksFiles }) => [...chunksFiles.values()])));
  }

  #attach(file: string, handle: SegmentHandle): boolean {
    try {
      const open = attachSegment(handle);
      this.#files.set(file, { file: open, cut: cutBlobs(open) });
      this.#unopened.delete(file);
      return true;
    } catch (error) {
      this.#unopened.set(file, handle);
      if (damagedFileOf(error) !== null) noteDamage(handle.file);
      return false;
    }
  }

  #opened({
    slots,
    factsFiles,
    chunksFiles,
  }: Pick<ThreadGeneration, 'slots' | 'factsFiles' | 'chunksFiles'>): SearchedSegment[] {
    return [...slots].flatMap(([file, slot]) => {
      const open = this.#files.get(file);
      if (!open) return [];
      const facts = this.#facts.open(factsFiles.get(file));
      return [{ slot, ...open, facts, chunks: this.#chunks.open(chunksFiles.get(file)) }];
    });
  }

  /** The generation with every segment that can be opened by now. */
  #generation(number: number): ThreadGeneration {
    const generation = this.#generations.get(number);
    if (!generation) throw generationGone();
    const { slots, factsFiles, chunksFiles } = generation;
    const hasAll = generation.segments.length === slots.size;
    if (hasAll && besideOpened(generation.segments) === factsFiles.size + chunksFiles.size) return generation;
    const attached = [...slots.keys()].filter((file) => {
      const handle = this.#unopened.get(file);
      return handle !== undefined && this.#attach(file, handle);
    });
    const segments = this.#opened(generation);
    const isSame =
      attached.length === 0 &&
      segments.length === generation.segments.length &&
      besideOpened(segments) === besideOpened(generation.segments);
    if (isSame) return generation;
    const better = { ...generation, segments };
    this.#generations.set(number, better);
    for (const key of this.#views.keys()) if (key.startsWith(`${number} `)) this.#views.delete(key);
    return better;
  }

  search({ id, generation: number, scopeId, scope: sent, request }: SearchMessage): SearchAnswer {
    const deadline = new SearchDeadline(request.budgetMs, this.#stop, id);
    if (sent !== null) this.#scopes.set(scopeId, sent);
    const scope = this.#scopes.get(scopeId)!;
    const generation = this.#generation(number);
    if (this.#forgetsDecoded) this.#reader.flush();
    this.#running.current = deadline;
    return runQuery(
      { ...request, scope },
      {
        generation,
        viewOf: (revisions) => this.#viewOf(generation, scopeId, scope, revisions),
        contentMatcher: (test) => this.#contentMatcher(test),
        facts: new SearchedFacts(this.#factsReader, generation.segments),
        pathMatcher: (pattern) => this.#pathMatcher(pattern),
        nameHas: (pattern, name) => this.#nameHas(pattern, name),
        reader: this.#reader,
        blockLines: this.#blockLines,
        deadline,
        running: this.#running,
      },
    );
  }

  /** What a question of another kind is answered from. */
  ground({ id, generation: number, scopeId, scope: sent, revisions, budgetMs }: AskMessage): AskedGround {
    const deadline = new SearchDeadline(budgetMs, this.#stop, id);
    if (sent !== null) this.#scopes.set(scopeId, sent);
    const scope = this.#scopes.get(scopeId)!;
    const generation = this.#generation(number);
    this.#running.current = deadline;
    return {
      generation: number,
      scope,
      ...this.#viewOf(generation, scopeId, scope, revisions),
      table: generation.table,
      segments: generation.segments,
      reader: this.#reader,
      deadline,
      scipOf: ({ repository, manifest }) =>
        generation.scip.get(scipKey(repository.id, manifest.head.commit)) ?? null,
      pathHas: (pattern, manifest, row) => this.#pathMatcher(pattern).test(manifest, row),
    };
  }

  #viewOf(
    { generation, table, segments, slots, isWhole, revisions: open }: ThreadGeneration,
    scopeId: number,
    scope: Scope,
    revisions: ReadonlyMap<number, string>,
  ): ScopeView {
    const key = `${generation} ${scopeId} ${JSON.stringify([...revisions])}`;
    let view = this.#views.get(key);
    if (!view) {
      const shown = shownRevisions(scope, revisions, [...open.values()]);
      const manifests = shown.map(({ manifest }) => manifest);
      const places = {
        table,
        segments: segments.map(({ slot, file, cut }) => ({ slot, blobs: file.blobs, cut })),
      };
      const isComplete = isWhole && segments.length === slots.size;
      const missing = isComplete ? null : missingTexts(manifests, places);
      const made = viewOf(manifests, places);
      view = { shown, manifests, view: made, rankings: new RevisionRankings(made, places), missing };
      this.#views.set(key, view);
    }
    return view;
  }

  #regexOf = (pattern: TextPattern): Regex => {
    const { source, literal, ignoreCase } = pattern;
    const deadline = this.#running;
    return cached(this.#regexes, pattern, () => compileRegex(source, { literal, ignoreCase, deadline }));
  };

  #contentMatcher({ of, pattern }: ContentTest): ContentMatcher | SymbolMatcher {
    if (of === 'symbol') {
      const make = () => new SymbolMatcher(pattern, this.#regexOf, this.#running);
      return cached(this.#symbolMatchers, pattern, make);
    }
    const make = () => new ContentMatcher(pattern, this.#regexOf, this.#reader, this.#running);
    return cached(this.#contentMatchers, pattern, make);
  }

  #pathMatcher(pattern: TextPattern): PathMatcher {
    return cached(this.#pathMatchers, pattern, () => new PathMatcher(pattern, this.#regexOf));
  }

  #nameHas(pattern: TextPattern, name: string): boolean {
    const key = JSON.stringify(pattern);
    let names = this.#names.get(key);
    if (!names) {
      names = new Map();
      this.#names.set(key, names);
    }
    let has = names.get(name);
    if (has === undefined) {
      has = this.#regexOf(pattern).test(Buffer.from(name));
      names.set(name, has);
    }
    return has;
  }
}

function besideOpened(segments: readonly SearchedSegment[]): number {
  return segments.reduce(
    (sum, { facts, chunks }) => sum + Number(facts !== null) + Number(chunks !== null),
    0,
  );
}

function cached<T extends object>(known: LRUCache<string, T>, pattern: TextPattern, make: () => T): T {
  const { source, literal, ignoreCase } = pattern;
  const key = `${literal ? 'l' : 'r'}${ignoreCase ? 'i' : 'c'}${source}`;
  let found = known.get(key);
  if (!found) {
    found = make();
    known.set(key, found);
  }
  return found;
}

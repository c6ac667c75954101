import { LRUCache } from 'lru-cache';
import { attachManifest, type Manifest } from '../manifests/manifest.ts';
import type { TextPattern } from '../queries/types.ts';
import { compileRegex, type Regex } from '../regex/regex.ts';
import { attachSegment } from '../segments/open-segment.ts';
import { SegmentReader } from '../segments/segment-reader.ts';
import { runQuery } from './run-query.ts';
import { SearchDeadline } from './search-deadline.ts';
import { generationGone } from './search-errors.ts';
import type { GenerationMessage, SearchMessage, SearchWorkerData, SentRevision } from './search-messages.ts';
import { type ShownRevision, shownRevisions } from './searched-revisions.ts';
import { cutBlobs, type SearchedSegment } from './searched-segment.ts';
import type { Scope, SearchAnswer } from './types.ts';
import { type View, viewOf } from './view.ts';

/** What a scope shows of a generation. */
export interface ScopeView {
  readonly shown: readonly ShownRevision[];
  readonly manifests: readonly Manifest[];
  readonly view: View;
}

/** A generation as a thread has it. */
export interface ThreadGeneration {
  readonly generation: number;
  /** Where blobs lie. */
  readonly table: Uint32Array;
  readonly segments: readonly SearchedSegment[];
  readonly segmentFiles: ReadonlySet<string>;
  readonly revisions: ReadonlyMap<string, OpenRevision>;
  readonly problems: readonly string[];
}

interface OpenRevision {
  readonly entry: Omit<SentRevision, 'manifest'>;
  readonly manifest: Manifest;
}

const REGEXES_MAX = 64;
const NAME_PATTERNS_MAX = 32;

/** All that one thread keeps between searches. */
export class ThreadSearch {
  readonly #reader: SegmentReader;
  readonly #stop: Int32Array;
  readonly #generations = new Map<number, ThreadGeneration>();
  readonly #files = new Map<string, Omit<SearchedSegment, 'slot'>>();
  readonly #scopes: LRUCache<number, Scope>;
  readonly #views: LRUCache<string, ScopeView>;
  readonly #regexes = new LRUCache<string, Regex>({ max: REGEXES_MAX });
  /** Of patterns for names of repositories and branches: which names have them. */
  readonly #names = new LRUCache<string, Map<string, boolean>>({ max: NAME_PATTERNS_MAX });

  constructor({ ringBytesMax, viewsMax, scopesMax, stop }: SearchWorkerData) {
    this.#reader = new SegmentReader({ ringBytes: ringBytesMax });
    this.#stop = new Int32Array(stop);
    this.#scopes = new LRUCache({ max: scopesMax });
    this.#views = new LRUCache({ max: viewsMax });
  }

  /** Takes over a generation, and closes what only those had that are no longer wanted. */
  open({ generation, places, segments, revisions, problems, kept }: GenerationMessage): void {
    const found = [...problems];
    const searched: SearchedSegment[] = [];
    for (const { slot, file, handle } of segments) {
      try {
        if (handle !== null && !this.#files.has(file)) {
          const open = attachSegment(handle);
          this.#files.set(file, { file: open, cut: cutBlobs(open) });
        }
        searched.push({ slot, ...this.#files.get(file)! });
      } catch {
        found.push('A part of the index could not be opened, and was not searched.');
      }
    }
    const known = [...this.#generations.values()];
    const opened = revisions.map(({ key, sent }): [string, OpenRevision] => {
      if (sent === null) return [key, known.find((other) => other.revisions.has(key))!.revisions.get(key)!];
      const { manifest, ...entry } = sent;
      return [key, { entry, manifest: attachManifest(manifest) }];
    });
    this.#generations.set(generation, {
      generation,
      table: new Uint32Array(places),
      segments: searched,
      segmentFiles: new Set(segments.map(({ file }) => file)),
      revisions: new Map(opened),
      problems: found,
    });
    for (const number of this.#generations.keys())
      if (!kept.includes(number)) this.#generations.delete(number);
    for (const [file, { file: open }] of this.#files) {
      if ([...this.#generations.values()].some(({ segmentFiles }) => segmentFiles.has(file))) continue;
      open.close();
      this.#files.delete(file);
    }
  }

  search({ id, generation: number, scopeId, scope: sent, request }: SearchMessage): SearchAnswer {
    const deadline = new SearchDeadline(request.budgetMs, this.#stop, id);
    if (sent !== null) this.#scopes.set(scopeId, sent);
    const scope = this.#scopes.get(scopeId)!;
    const generation = this.#generations.get(number);
    if (!generation) throw generationGone();
    return runQuery(
      { ...request, scope },
      {
        generation,
        viewOf: (revisions) => this.#viewOf(generation, scopeId, scope, revisions),
        regexOf: (pattern) => this.#regexOf(pattern),
        nameHas: (pattern, name) => this.#nameHas(pattern, name),
        reader: this.#reader,
        deadline,
      },
    );
  }

  /** Forgets decoded blocks, so that a bench can measure what reading them costs. */
  flush(): void {
    this.#reader.flush();
  }

  #viewOf(
    { generation, table, segments, revisions: open }: ThreadGeneration,
    scopeId: number,
    scope: Scope,
    revisions: ReadonlyMap<number, string>,
  ): ScopeView {
    const key = `${generation} ${scopeId} ${JSON.stringify([...revisions])}`;
    let view = this.#views.get(key);
    if (!view) {
      const shown = shownRevisions(scope, revisions, [...open.values()]);
      const manifests = shown.map(({ manifest }) => manifest);
      const places = { table, segments: segments.map(({ slot, file }) => ({ slot, blobs: file.blobs })) };
      view = { shown, manifests, view: viewOf(manifests, places) };
      this.#views.set(key, view);
    }
    return view;
  }

  #regexOf({ source, literal, ignoreCase }: TextPattern): Regex {
    const key = `${literal ? 'l' : 'r'}${ignoreCase ? 'i' : 'c'}${source}`;
    let regex = this.#regexes.get(key);
    if (!regex) {
      regex = compileRegex(source, { literal, ignoreCase });
      this.#regexes.set(key, regex);
    }
    return regex;
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

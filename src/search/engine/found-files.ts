import { languageName } from '../documents/languages.ts';
import type { DocumentSearch, FoundDocument } from './document-search.ts';
import { type DocumentLines, FoundLines, type FoundLinesOptions } from './found-lines.ts';
import type { PathMatcher } from './path-matcher.ts';
import { TimeOver } from './search-deadline.ts';
import { mergedRanges } from './shown-line.ts';
import type { ScopeView } from './thread-search.ts';
import type { FoundFile, FoundPlace, SearchAnswer, SearchRequest } from './types.ts';

/** Other places that are named of a file, where nothing else is asked. */
const ALSO_MAX = 10;

export interface FoundFilesOptions extends FoundLinesOptions {
  search: DocumentSearch;
  scopeView: ScopeView;
  paths: readonly PathMatcher[];
  request: SearchRequest;
}

const NO_LINES: DocumentLines = { blocks: [], lines: 0, isAll: false };

/** A file that was found is told of, also when there was no time to say more of it. */
function inTime<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof TimeOver) return otherwise;
    throw error;
  }
}

/** Makes files for an answer of documents that were found. */
export class FoundFiles {
  readonly #options: FoundFilesOptions;
  readonly #lines: FoundLines;

  constructor(options: FoundFilesOptions) {
    this.#options = options;
    this.#lines = new FoundLines(options);
  }

  shown(found: FoundDocument): FoundFile {
    const { scopeView, paths, request } = this.#options;
    const manifest = scopeView.manifests[found.manifest]!;
    const place = this.#place(found.rank);
    const lines = inTime(() => this.#linesOf(found), NO_LINES);
    const others = this.placesOf(found).filter((rank) => rank !== found.rank);
    const ranges = inTime(() => found.paths.flatMap((test) => paths[test]!.ranges(place.path)), []);
    return {
      repositoryId: place.repositoryId,
      revision: place.revision,
      commit: place.commit,
      path: place.path,
      oid: manifest.oid(found.row),
      language: languageName(manifest.languages[found.row]!),
      score: found.score,
      matchedPath: found.paths.length > 0,
      matchedSymbol: found.bySymbol,
      pathRanges: mergedRanges(ranges),
      lineCount: Math.max(found.lines, lines.lines),
      lineCountExact: found.linesExact || lines.isAll,
      blocks: lines.blocks,
      also: others.slice(0, request.placesMax ?? ALSO_MAX).map((rank) => this.#place(rank)),
      alsoCount: others.length,
    };
  }

  /** Ranks of every place that a file lies at; its own alone where there is no time for more. */
  placesOf(found: FoundDocument): readonly number[] {
    return inTime(() => this.#options.search.placesOf(found), [found.rank]);
  }

  /** Every repository that has a file that fits, with all places of it there; a path that several branches have is one place. */
  repositories(all: readonly FoundDocument[]): SearchAnswer['repositories'] {
    const { search, scopeView } = this.#options;
    const counted = new Map<number, { repositoryId: number; files: number; lines: number }>();
    for (const found of all) {
      const ranks = search.placesOf(found);
      const places = new Map<string, number>();
      for (const rank of ranks) {
        const repositoryId = scopeView.shown[search.manifestAt(rank)]!.repository.id;
        // Paths are read only where there is something to tell apart.
        places.set(ranks.length === 1 ? '' : `${repositoryId} ${search.pathAt(rank)}`, repositoryId);
      }
      for (const repositoryId of places.values()) {
        const count = counted.get(repositoryId) ?? { repositoryId, files: 0, lines: 0 };
        count.files++;
        count.lines += found.lines;
        counted.set(repositoryId, count);
      }
    }
    return [...counted.values()].sort((a, b) => b.files - a.files);
  }

  #linesOf(found: FoundDocument): DocumentLines {
    const { search, request } = this.#options;
    const lists = request.output === 'lines' && found.byContent ? search.listsOf(found.segment) : null;
    if (lists === null) return NO_LINES;
    return this.#lines.of(lists, found.blob, found.contents, request);
  }

  #place(rank: number): FoundPlace {
    const { search, scopeView } = this.#options;
    const { repository, entry, manifest } = scopeView.shown[search.manifestAt(rank)]!;
    return {
      repositoryId: repository.id,
      revision: entry.revision,
      commit: manifest.head.commit,
      path: search.pathAt(rank),
    };
  }
}

import { ContentMatcher } from './content-matcher.ts';
import { DocumentSearch } from './document-search.ts';
import { PathMatcher } from './path-matcher.ts';
import type { QueryGround } from './run-query.ts';
import type { PlaceTest, SearchPlan } from './search-plan.ts';
import type { ScopeView } from './thread-search.ts';

type HasFileTest = Extract<PlaceTest, { kind: 'repository-has-file' }>;

/** Answers whether a revision has a file that a query asks of its repository. */
export class RepositoryFiles {
  /** Looking was ended before every document was looked at. */
  stopped: null | 'budget' = null;
  readonly #plan: SearchPlan;
  readonly #scopeView: ScopeView;
  readonly #ground: QueryGround;
  readonly #having = new Map<number, ReadonlySet<number>>();
  readonly #paths = new Map<number, PathMatcher>();

  constructor(plan: SearchPlan, scopeView: ScopeView, ground: QueryGround) {
    this.#plan = plan;
    this.#scopeView = scopeView;
    this.#ground = ground;
  }

  has(test: number, revision: number): boolean {
    const asked = this.#plan.places[test] as HasFileTest;
    if (asked.content === null) return this.#hasPath(test, asked, revision);
    let having = this.#having.get(test);
    if (!having) {
      having = this.#havingContent(asked);
      this.#having.set(test, having);
    }
    return having.has(revision);
  }

  #hasPath(test: number, { path }: HasFileTest, revision: number): boolean {
    let matcher = this.#paths.get(test);
    if (!matcher) {
      matcher = new PathMatcher(path, this.#ground.regexOf(path));
      this.#paths.set(test, matcher);
    }
    const manifest = this.#scopeView.manifests[revision]!;
    const { literal } = matcher;
    if (literal !== null && !manifest.mayHavePath(literal)) return false;
    if (literal !== null) {
      return manifest
        .rowsWithPath(literal, Number.POSITIVE_INFINITY)
        .some((row) => matcher.test(manifest, row));
    }
    for (let row = 0; row < manifest.rows; row++) if (matcher.test(manifest, row)) return true;
    return false;
  }

  /** Revisions that have such a file. */
  #havingContent({ path, content }: HasFileTest): ReadonlySet<number> {
    const { regexOf, reader, deadline, generation } = this.#ground;
    const { view, manifests } = this.#scopeView;
    const search = new DocumentSearch({
      view,
      manifests,
      segments: generation.segments,
      table: generation.table,
      plan: {
        root: { kind: 'never' },
        places: [],
        paths: [{ pattern: path, ofEither: false }],
        contents: [content!],
      },
      decided: {
        restOf: new Int16Array(manifests.length),
        rests: [
          {
            kind: 'all',
            of: [
              { kind: 'path', test: 0 },
              { kind: 'content', test: 0 },
            ],
          },
        ],
      },
      matchers: [new ContentMatcher(content!, regexOf, reader)],
      paths: [new PathMatcher(path, regexOf(path))],
      reader,
      deadline,
      exact: true,
      filesWanted: 0,
    });
    search.run(1, 0);
    if (search.stopped !== null) this.stopped = 'budget';
    const revisions = new Set<number>();
    for (const found of search.found) {
      for (const place of search.placesOf(found)) revisions.add(search.manifestAt(place));
    }
    return revisions;
  }
}

import { DocumentSearch } from './document-search.ts';
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

  constructor(plan: SearchPlan, scopeView: ScopeView, ground: QueryGround) {
    this.#plan = plan;
    this.#scopeView = scopeView;
    this.#ground = ground;
  }

  has(test: number, revision: number): boolean {
    const asked = this.#plan.places[test] as HasFileTest;
    if (asked.content === null) return this.#hasPath(asked, revision);
    let having = this.#having.get(test);
    if (!having) {
      having = this.#havingContent(asked);
      this.#having.set(test, having);
    }
    return having.has(revision);
  }

  #hasPath({ path }: HasFileTest, revision: number): boolean {
    const matcher = this.#ground.pathMatcher(path);
    const manifest = this.#scopeView.manifests[revision]!;
    if (!matcher.mayMatch(manifest)) return false;
    for (let row = 0; row < manifest.rows; ) {
      const { rows, next } = matcher.matchingRows(manifest, row, manifest.rows);
      if (rows.length > 0) return true;
      row = next;
    }
    return false;
  }

  /** Revisions that have such a file. */
  #havingContent({ path, content }: HasFileTest): ReadonlySet<number> {
    const { reader, facts, blockLines, deadline, generation } = this.#ground;
    const { view, rankings, manifests } = this.#scopeView;
    const search = new DocumentSearch({
      view,
      rankings,
      manifests,
      segments: generation.segments,
      table: generation.table,
      plan: {
        root: { kind: 'never' },
        places: [],
        paths: [{ pattern: path, ofEither: false }],
        contents: [{ of: 'text', pattern: content! }],
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
      matchers: [this.#ground.contentMatcher({ of: 'text', pattern: content! })],
      paths: [this.#ground.pathMatcher(path)],
      reader,
      facts,
      blockLines,
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

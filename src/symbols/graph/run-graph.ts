import { type AskedGround, FactsReader, type Scope } from '../../search/index.ts';
import { AnswerNodes } from './answer-nodes.ts';
import { FactsCache } from './facts-cache.ts';
import { importers, imports, packageImporters } from './file-relations.ts';
import { findTargets, type Targets } from './find-targets.ts';
import { foundFilter } from './found-filter.ts';
import { type RevisionCoverage, revisionsCoverage, summedCoverage } from './graph-coverage.ts';
import { type Found, firstPosition, type GraphGround, type Position } from './graph-question.ts';
import { GraphView } from './graph-view.ts';
import { GraphWork } from './graph-work.ts';
import { nearNames } from './near-names.ts';
import { DependencyTable, dependencies, dependents } from './package-relations.ts';
import { DamageMet } from './readable-facts.ts';
import type { PackagePlace } from './resolver/types.ts';
import { callees, definitions, outline, supertypes, typeOf } from './symbol-relations.ts';
import type { GraphAnswer, GraphCoverage, GraphPosition, GraphRequest } from './types.ts';
import { usesOf } from './use-relations.ts';

/** A question as it is sent to a thread, which has the scope already. */
export type GraphQuestion = Omit<GraphRequest, 'revisions' | 'scope'>;

interface KeptView {
  view: GraphView;
  dependencies: DependencyTable;
  coverage: RevisionCoverage[] | null;
}

/** Answers questions about the graph in one thread, and keeps what it has worked out for a scope as long as that shows the same. */
export class GraphAnswers {
  readonly #reader = new FactsReader({ pageBytes: 24 << 20, recordBytes: 16 << 20 });
  readonly #cache = new FactsCache(this.#reader);
  readonly #views = new WeakMap<object, KeptView>();

  answer(question: GraphQuestion, asked: AskedGround): GraphAnswer {
    for (;;) {
      try {
        return this.#answer(question, asked);
      } catch (error) {
        // Ends: each time there is a segment less whose facts are read.
        const view = this.#views.get(asked.view)?.view;
        if (!(error instanceof DamageMet) && !view?.noteFault(error)) throw error;
        this.#views.set(asked.view, this.#keep(asked, view?.damagedSegments));
      }
    }
  }

  #answer(question: GraphQuestion, asked: AskedGround): GraphAnswer {
    const startedMs = performance.now();
    this.#reader.takeCounters();
    const kept = this.#keptOf(asked);
    const { view } = kept;
    const work = new GraphWork(asked.deadline);
    const targets = findTargets(question.start, view, {
      pathHas: asked.pathHas,
      preferred: question.filters?.repositories,
      work,
    });
    const ground: GraphGround = {
      request: question,
      view,
      nodes: new AnswerNodes(view),
      filter: foundFilter(question.filters ?? {}, view, asked.pathHas),
      work,
      pathHas: asked.pathHas,
      position: question.after === null ? firstPosition : positionOf(question.after),
    };
    const found = relate(targets, kept, ground);
    const { nodes } = ground;
    const meant = [
      ...targets.meant.map((one) => nodes.of(one)),
      ...targets.packages.map((one) => nodes.package(one)),
    ];
    const candidates = targets.isAmbiguous ? targets.candidates.map((one) => nodes.of(one)) : [];
    const { lists, listBytes, records, fileReads } = this.#reader.takeCounters();
    const damaged = damagedDocuments(asked, view);
    const coverage = coverageOf(kept, asked, question, targets, this.#reader);
    const whole = isWhole(question, coverage);
    return {
      generation: asked.generation,
      nodes: nodes.nodes,
      targets:
        question.relation === 'definitions' || question.relation === 'outline'
          ? (found.listed ?? meant)
          : meant,
      ambiguous: targets.isAmbiguous
        ? { candidates, count: { count: targets.count, exact: targets.exact && whole } }
        : null,
      near: meant.length + found.edges.length > 0 ? [] : nearNames(question.start, view),
      edges: found.edges,
      count: { ...found.count, exact: found.count.exact && whole },
      coverage,
      stopped: found.stopped,
      next: found.next === null ? null : { g: asked.generation, ...shortPosition(found.next) },
      problems: damaged === 0 ? [] : [damagedSaid(damaged)],
      statistics: {
        files: work.files,
        uses: work.uses,
        lists,
        listBytes,
        records,
        fileReads,
        ms: performance.now() - startedMs,
      },
    };
  }

  #keptOf(asked: AskedGround): KeptView {
    let kept = this.#views.get(asked.view);
    if (kept === undefined) {
      kept = this.#keep(asked);
      this.#views.set(asked.view, kept);
    }
    kept.view.use(asked);
    return kept;
  }

  #keep(asked: AskedGround, damaged?: Iterable<number>): KeptView {
    const view = new GraphView(asked, this.#reader, this.#cache, damaged);
    return { view, dependencies: new DependencyTable(view), coverage: null };
  }
}

function relate(targets: Targets, { dependencies: table }: KeptView, ground: GraphGround): Found {
  const { relation } = ground.request;
  const { meant, packages, packageNames } = targets;
  const files = [...new Set(meant.map(({ file }) => file))];
  const definitionsMeant = meant.filter(({ symbol }) => symbol >= 0);
  switch (relation) {
    case 'definitions':
      return definitions(
        targets.candidates.length > 0 ? targets.candidates : meant,
        { count: targets.count, exact: targets.exact },
        ground,
      );
    case 'references':
    case 'callers':
      return usesOf(relation, definitionsMeant, ground);
    case 'subtypes':
      return usesOf(
        relation,
        definitionsMeant.map((one) => typeOf(ground, one)),
        ground,
      );
    case 'callees':
      return callees(meant, ground);
    case 'supertypes':
      return supertypes(definitionsMeant, ground);
    case 'outline':
      return outline(meant, ground);
    case 'imports':
      return imports(files, ground);
    case 'importers':
      return packages.length > 0 || packageNames.length > 0
        ? packageImporters(
            packages,
            packageNames.map(({ name }) => name),
            ground,
          )
        : importers(files, ground);
    case 'dependents': {
      const known = packagesOf(targets, ground);
      return dependents(known, known.length > 0 ? [] : packageNames, table, ground);
    }
    case 'dependencies':
      return dependencies(packagesOf(targets, ground), ground);
  }
}

/** The packages asked about: those named, or those that files belong to. */
function packagesOf({ packages, meant }: Targets, { view }: GraphGround): PackagePlace[] {
  if (packages.length > 0) return [...packages];
  const found = new Map<number, PackagePlace>();
  for (const { file } of meant) {
    const path = view.pathOf(file);
    const revision = view.revisionOf(file);
    for (const ecosystem of new Set(view.packageFiles.map(({ fact }) => fact.ecosystem))) {
      const place = view.packages.around(revision, path, ecosystem);
      if (place !== null) found.set(place.file, place);
    }
  }
  return [...found.values()];
}

function coverageOf(
  kept: KeptView,
  asked: AskedGround,
  { filters }: GraphQuestion,
  { missing }: Targets,
  reader: FactsReader,
): GraphCoverage {
  const damaged = kept.view.damagedSegments;
  kept.coverage ??= revisionsCoverage(asked, damaged, (segment, blob) =>
    reader.skipped(asked.segments[segment]!.facts!, blob),
  );
  const wanted = filters?.repositories ? new Set(filters.repositories) : null;
  const parts = kept.coverage.filter(
    (_, revision) => wanted?.has(asked.shown[revision]!.repository.id) ?? true,
  );
  return { ...summedCoverage(parts), unindexed: unindexed(asked.scope, asked, wanted), start: missing };
}

/** Whether what is counted can be all: of what is not read yet nobody knows what it holds. An outline is of its file alone. */
function isWhole({ relation }: GraphQuestion, { pending, start }: GraphCoverage): boolean {
  if (start === 'pending' || start === 'no-file') return false;
  return pending === 0 || (relation === 'outline' && start === null);
}

function unindexed(scope: Scope, { shown }: AskedGround, wanted: ReadonlySet<number> | null): number[] {
  const indexed = new Set(shown.map(({ repository }) => repository.id));
  return scope.map(({ id }) => id).filter((id) => !indexed.has(id) && (wanted?.has(id) ?? true));
}

/** Documents that lie in segments whose facts turned out to be damaged. */
function damagedDocuments({ view: { rankOfBlob } }: AskedGround, { damagedSegments }: GraphView): number {
  let count = 0;
  for (const segment of damagedSegments)
    for (const rank of rankOfBlob[segment] ?? []) if (rank !== 0) count++;
  return count;
}

function damagedSaid(files: number): string {
  const said = files === 1 ? '1 file' : `${files} files`;
  return `The structure of ${said} lies in a damaged part of the index. Nothing needs a hand: it is made anew.`;
}

function shortPosition({ from, to, offset, before }: Position): GraphPosition {
  return { i: from, e: to, o: offset, b: before };
}

/** Numbers that are missing or no whole numbers count as 0: a position comes back from outside, if signed. */
function positionOf(position: GraphPosition): Position {
  const number = (key: string) => {
    const value = position[key];
    return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : 0;
  };
  return { from: number('i'), to: number('e'), offset: number('o'), before: number('b') };
}

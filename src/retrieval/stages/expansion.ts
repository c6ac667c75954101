import type { AskedGround, FactsReader, SymbolKind } from '../../search/index.ts';
import type { GraphAnswers, GraphRelation } from '../../symbols/index.ts';
import type { Candidate } from '../thread/candidates.ts';
import type { ChunkGround } from '../thread/chunk-ground.ts';
import type { GraphStep } from '../types.ts';

export interface ExpansionGround {
  asked: AskedGround;
  graph: GraphAnswers;
  facts: FactsReader;
  chunks: ChunkGround;
  accepts(candidate: Candidate): boolean;
}

/** Hits that are expanded, and what may come of all of them. */
const SEEDS_MAX = 3;
const FOUND_MAX = 30;
/** Files that one question to the graph may look at. */
const FILES_MAX = 25;
const TESTS = 1;

const steps: readonly { relation: GraphRelation; step: GraphStep; placesMax: number }[] = [
  { relation: 'callees', step: 'called', placesMax: 8 },
  { relation: 'supertypes', step: 'extended', placesMax: 3 },
  { relation: 'callers', step: 'calls', placesMax: 4 },
];

/**
 * What the first hits lead to: what they call and extend, who calls them, and what stands beside them in their file. What the graph is
 * not sure of leads nowhere.
 */
export function expandHits(hits: readonly Candidate[], ground: ExpansionGround): Candidate[] {
  const { chunks } = ground;
  const found = new Set<Candidate>();
  const seeds = hits.filter(({ chunk }) => chunk.symbol >= 0 && chunk.name !== '').slice(0, SEEDS_MAX);
  const add = (candidate: Candidate | null, relation: GraphStep, seed: Candidate) => {
    if (candidate === null || candidate === seed || found.size >= FOUND_MAX) return;
    if (found.has(candidate) || !ground.accepts(candidate)) return;
    found.add(candidate);
    candidate.graph = { place: found.size, relation, of: seed.chunk.name };
  };
  for (const seed of seeds) {
    for (const { relation, step, placesMax } of steps) {
      for (const candidate of related(seed, relation, placesMax, ground)) {
        if (step === 'calls' && chunks.classOf(candidate.document) === TESTS) continue;
        add(candidate, step, seed);
      }
    }
    for (const part of [seed.part - 1, seed.part + 1]) {
      const beside = part < 0 ? null : chunks.ofDocument(seed.document, part);
      if (beside !== null && beside.chunk.name !== '') add(beside, 'beside', seed);
    }
  }
  return [...found];
}

function related(
  seed: Candidate,
  relation: GraphRelation,
  placesMax: number,
  { asked, graph, facts, chunks }: ExpansionGround,
): Candidate[] {
  const { segment, blob, chunk } = seed;
  const open = asked.segments[segment]!.facts;
  const symbol = open === null ? undefined : facts.symbolsOf(open, blob)[chunk.symbol];
  if (symbol === undefined || !leadsOn(symbol.kind)) return [];
  const { repositoryId, revision, path } = chunks.placeOf(seed.document, chunk);
  const answer = graph.answer(
    {
      relation,
      start: { by: 'place', repositoryId, revision, path, line: symbol.nameLine, name: symbol.name },
      placesMax,
      exact: false,
      after: null,
      budgetMs: 0,
    },
    { ...asked, deadline: fewFiles(asked.deadline) },
  );
  const isOut = relation !== 'callers';
  return answer.edges
    .filter(({ confidence }) => confidence !== 'possible')
    .flatMap(({ from, to }) => {
      const { place } = answer.nodes[isOut ? to : from]!;
      if (place === null) return [];
      const document = chunks.documentAt(place.repositoryId, place.revision, place.path);
      return (document === 0 ? null : chunks.atLine(document, place.line)) ?? [];
    });
}

function leadsOn(kind: SymbolKind): boolean {
  return followed.has(kind);
}

const followed: ReadonlySet<SymbolKind> = new Set<SymbolKind>([
  'function',
  'method',
  'constructor',
  'class',
  'interface',
  'struct',
  'trait',
  'enum',
  'type',
  'object',
]);

/** Over as well when so many files were looked at: counted, so that the same comes of it each time. */
function fewFiles(deadline: AskedGround['deadline']): AskedGround['deadline'] {
  let looks = 0;
  return {
    isStopped: () => deadline.isStopped(),
    expired: () => ++looks > FILES_MAX || deadline.expired(),
  };
}

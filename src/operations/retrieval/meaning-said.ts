import type {
  ChunkPlace,
  FoundBecause,
  GraphStep,
  RetrievalAnswer,
  RetrievalCoverage,
  RetrievedChunk,
  StageRun,
} from '../../retrieval/index.ts';
import { callSaid } from '../call-said.ts';
import { countSaid } from '../codesearch/search-words.ts';

/** Why a hit was found, in a few words. */
export function becauseSaid(reasons: readonly FoundBecause[]): string {
  return reasons.map(reasonSaid).join('; ');
}

function reasonSaid(reason: FoundBecause): string {
  switch (reason.by) {
    case 'keywords':
      return `words: ${reason.terms.length > 0 ? reason.terms.join(', ') : 'in its path'}`;
    case 'graph':
      return `${steps[reason.relation]} ${reason.of}`;
    default:
      return `meaning ${reason.cosine.toFixed(2)}`;
  }
}

const steps: Readonly<Record<GraphStep, string>> = {
  calls: 'calls',
  called: 'called by',
  extended: 'extended by',
  beside: 'beside',
};

/** What was looked through, on one line: it stands in every answer, so that no gap is silent. */
export function coverageSaid(
  { coverage, stages }: Pick<RetrievalAnswer, 'coverage' | 'stages'>,
  repositories: number,
): string {
  const { documents, chunks } = coverage;
  const said = [
    countSaid({ count: repositories - coverage.unindexed.length, exact: true }, 'repository', 'repositories'),
    countSaid({ count: documents, exact: true }, 'file'),
    countSaid({ count: chunks, exact: true }, 'chunk'),
  ];
  const vectors = vectorsSaid(coverage);
  const isOff = stages.some(({ stage, state }) => stage === 'encoder' && state === 'off');
  return [
    `searched ${said.join(', ')}`,
    ...(vectors === '' ? [] : [vectors]),
    ...(isOff ? ['the encoder is off'] : []),
  ].join('; ');
}

/** The two kinds of vectors lie beside each other: a chunk has one, both or none. All is said only of all, and of none nothing. */
function vectorsSaid({ chunks, inTable, encoded }: RetrievalCoverage): string {
  if (chunks === 0) return '';
  if (inTable === null) return encoded === null ? '' : `${sharesSaid(encoded, chunks)} of the encoder`;
  const table = `${sharesSaid(inTable, chunks)} of the table`;
  if (encoded === null) return table;
  if (encoded >= chunks) return `${table}, and one of the encoder`;
  const also = inTable >= chunks ? 'also one' : 'one';
  return `${table}; ${percentSaid(encoded, chunks)} ${also} of the encoder`;
}

function sharesSaid(part: number, whole: number): string {
  return part >= whole
    ? 'every chunk has a vector'
    : `${percentSaid(part, whole)} of the chunks have a vector`;
}

function percentSaid(part: number, whole: number): string {
  if (part > 0 && 100 * part < whole) return 'less than 1%';
  return `${part >= whole ? 100 : Math.floor((100 * part) / whole)}%`;
}

/** What of what was asked about cannot be found yet, and why. */
export function coverageNotes({ unread, unchunked, documents }: RetrievalCoverage): string[] {
  const notes: string[] = [];
  if (unread > 0)
    notes.push(
      `Not indexed yet, and so not looked into: ${countSaid({ count: unread, exact: true }, 'file')} of ${documents}.`,
    );
  if (unchunked > 0)
    notes.push(
      `Not cut into chunks yet, and so not found by meaning: ${countSaid({ count: unchunked, exact: true }, 'text')}. codesearch finds them; ask again in a moment.`,
    );
  return notes;
}

/** Whether there is no way left on which anything could be found. */
export function isAllOff(stages: readonly StageRun[]): boolean {
  const ways = stages.filter(({ stage }) => findingStages.has(stage));
  return ways.length > 0 && ways.every(({ state }) => state === 'off');
}

const findingStages: ReadonlySet<StageRun['stage']> = new Set(['keywords', 'table', 'encoder'] as const);

export const ALL_OFF =
  'Nothing was searched: all ways to search by meaning are switched off. Ask the operator to set retrieval.stages.keywords, table or encoder to true in the configuration; table and encoder also need embedding.model to be on. codesearch finds names and texts.';

/** Stages that were wanted and could not run. `hindrance`: what holds the encoder up, where that is known. */
export function stageNotes(all: readonly StageRun[], hindrance: () => string | null = () => null): string[] {
  const stages = all.map((run) =>
    // That nothing is encoded yet is the outcome of it.
    run.stage === 'encoder' && run.state === 'left-out' && run.why === NOT_YET
      ? { ...run, why: hindrance() ?? NOT_YET }
      : run,
  );
  const left = stages.filter(({ state, why }) => state === 'left-out' && why !== null);
  // What hindered one stage hinders those that stand on it.
  const first = left.filter(({ why }, at) => left.findIndex((other) => other.why === why) === at);
  return first.map(({ stage, why }) => `Answered without ${stageNames[stage]}: ${without(why!)}.`);
}

/** What each stage took, for whoever asks how an answer came about. */
export function stagesSaid(stages: readonly StageRun[]): string {
  const ran = stages.filter(({ state }) => state === 'ran');
  return `stages: ${ran.map(({ stage, ms, count }) => `${stage} ${ms.toFixed(1)} ms (${count})`).join(', ')}`;
}

/** As the engine says it. */
const NOT_YET = 'no chunk has such a vector yet';

function without(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

const stageNames: Readonly<Record<StageRun['stage'], string>> = {
  'encode-question': 'the encoder',
  keywords: 'ranking by words',
  table: 'ranking by meaning (static vectors)',
  encoder: 'ranking by meaning (encoder)',
  fusion: 'fusing lists',
  expansion: 'following the graph',
  scorer: 'the scorer',
  files: 'adding up what was found in each file',
  'near-duplicates': 'taking copies together',
  'encode-candidates': 'the encoder',
  'cross-encoder': 'reranking by the cross-encoder',
};

/** Other lines of the same symbol that the question found. */
export function slicesSaid({ slices }: RetrievedChunk): string[] {
  if (slices.length === 0) return [];
  const said = [...slices]
    .sort((a, b) => a.startLine - b.startLine)
    .map(({ startLine, endLine }) => (startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`));
  return [`  also lines ${said.join(', ')}`];
}

/** Where else the very same or nearly the same stands. */
export function copiesSaid(
  { also, alsoCount, similar, similarCount }: RetrievedChunk,
  placeSaid: (place: ChunkPlace) => string,
): string[] {
  return [
    ...(alsoCount > 0 ? [placesSaid('same file', also.map(placeSaid), alsoCount)] : []),
    ...(similarCount > 0 ? [placesSaid('nearly the same', similar.map(placeSaid), similarCount)] : []),
  ];
}

const COPIES_NAMED_MAX = 3;

function placesSaid(what: string, places: readonly string[], count: number): string {
  const named = places.slice(0, COPIES_NAMED_MAX);
  const more = count - named.length;
  return `  ${what}: ${[...named, ...(more > 0 ? [`${more} more`] : [])].join(', ')}`;
}

/** A longer one is a heading, and nothing calls it. */
const NAME_CHARACTERS_MAX = 120;

/** Kinds of what other code calls or makes; nothing calls a heading, a key or a constant. */
const called: ReadonlySet<string> = new Set<NonNullable<RetrievedChunk['kind']>>([
  ...(['function', 'method', 'constructor', 'macro', 'annotation'] as const),
  ...(['class', 'interface', 'struct', 'enum', 'trait', 'type'] as const),
]);

/** What runs tests calls them, and no code does. */
function isTest({ test }: RetrievedChunk['features']): boolean {
  return test === 1;
}

/** So far above a slice its symbol is read from its first line on: a slice of a function says little without it. */
const SIGNATURE_ABOVE_MAX = 150;

/** What to do with the best hit. */
export function nextSaid(
  { place, container, name, kind, signatureLine, features }: RetrievedChunk,
  repository: string,
): string {
  const above = place.startLine - (signatureLine ?? place.startLine);
  const offset = place.startLine - (above > 0 && above <= SIGNATURE_ABOVE_MAX ? above : 0);
  const read = callSaid({
    repo: repository,
    path: place.path,
    offset,
    limit: place.endLine - offset + 1,
  });
  const isCalled = name !== '' && kind !== null && called.has(kind) && !isTest(features);
  const walk =
    !isCalled || container.length > NAME_CHARACTERS_MAX
      ? ''
      : `; graph ${callSaid({ name: `${container}@${repository}`, relation: 'callers' })}`;
  return `Next: read_file ${read}${walk}`;
}

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
export function coverageSaid({ coverage }: RetrievalAnswer, repositories: number): string {
  const { documents, chunks, inTable, encoded } = coverage;
  const said = [
    countSaid({ count: repositories - coverage.unindexed.length, exact: true }, 'repository', 'repositories'),
    countSaid({ count: documents, exact: true }, 'file'),
    countSaid({ count: chunks, exact: true }, 'chunk'),
  ];
  const shares = [
    ...(inTable === null ? [] : [`${shareSaid(inTable, chunks)} embedded`]),
    ...(encoded === null ? [] : [`${shareSaid(encoded, chunks)} by the encoder`]),
  ];
  return `searched ${said.join(', ')}${shares.length > 0 ? `; ${shares.join(', ')}` : ''}`;
}

/** All is said only of all. */
function shareSaid(part: number, whole: number): string {
  if (whole === 0 || part >= whole) return '100%';
  return `${Math.min(99, Math.floor((100 * part) / whole))}%`;
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

/** Stages that were wanted and could not run. */
export function stageNotes(stages: readonly StageRun[]): string[] {
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

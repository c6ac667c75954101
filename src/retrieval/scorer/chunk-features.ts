import { dataKinds, type SymbolKind } from '../../search/index.ts';
import type { Candidate } from '../thread/candidates.ts';
import type { QuestionWords } from '../thread/question-words.ts';
import type { Features } from './features.ts';

export interface FeatureGround {
  words: QuestionWords;
  /** As a share of the best fused score. */
  fused: number;
  /** Of its document. */
  path: string;
  documentClass: number;
  /** Words of the question that it has, looked for only where the keyword ranking does not know them. */
  wordsOf: () => ReadonlySet<string>;
}

/** As in reciprocal rank fusion, scaled to 1 for the first place. */
const PLACE_SOFTENING = 10;
const NAME_WORDS = { least: 2, most: 10 };
const LINES = { least: 5, most: 80 };
const [TEST, DOCUMENT, VENDORED] = [1, 2, 3];

export function featuresOf(
  candidate: Candidate,
  { words, fused, path, documentClass, wordsOf }: FeatureGround,
): Features {
  const { chunk, keyword, keywordPlace, meaning, graph, tableCosine, encoderCosine } = candidate;
  const { name, kind, startLine, endLine } = chunk;
  const nameWords = keyword?.nameWords ?? name.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u).length;
  return {
    fused,
    cosine: encoderCosine ?? tableCosine ?? 0,
    tableCosine: tableCosine ?? 0,
    meaningPlace: placeValue(meaning?.place ?? 0),
    keywordPlace: placeValue(keywordPlace),
    termCoverage: keyword?.termCoverage ?? words.coverageOf(wordsOf()),
    nameCoverage: keyword?.nameCoverage ?? words.coverage(name),
    nameFocus: words.focus(name),
    pathCoverage: keyword?.pathCoverage ?? words.coverage(path),
    longName: share(nameWords, NAME_WORDS),
    longBody: share(endLine - startLine + 1, LINES),
    nameless: name === '' ? 1 : 0,
    holder: kind !== null && holders.has(kind) ? 1 : 0,
    data: kind !== null && dataKinds.has(kind) ? 1 : 0,
    test: documentClass === TEST ? 1 : 0,
    document: documentClass === DOCUMENT ? 1 : 0,
    vendored: documentClass === VENDORED ? 1 : 0,
    graphPlace: placeValue(graph?.place ?? 0),
  };
}

/** 1 for the first place of a list, ever less for later ones, 0 for none. */
function placeValue(place: number): number {
  return place === 0 ? 0 : (PLACE_SOFTENING + 1) / (PLACE_SOFTENING + place);
}

function share(value: number, { least, most }: { least: number; most: number }): number {
  return Math.min(1, Math.max(0, (value - least) / (most - least)));
}

const holders: ReadonlySet<SymbolKind> = new Set<SymbolKind>([
  'class',
  'interface',
  'struct',
  'enum',
  'trait',
  'namespace',
  'module',
  'package',
  'object',
  'implementation',
  'message',
  'service',
]);

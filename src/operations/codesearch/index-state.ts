import type { Repository } from '../../catalog/index.ts';
import type {
  EmbeddingCoverage,
  Indexing,
  RepositoryIndexState,
  SymbolCoverage,
} from '../../indexing/index.ts';
import { ageOf } from '../freshness.ts';
import { shortCommit } from '../tools/place.ts';

/** What codesearch has of one repository. */
export interface IndexValue {
  /** `behind`: searchable as it was some commits ago. */
  state: RepositoryIndexState | 'behind';
  commit: string | null;
  indexedMs: number | null;
  documents: number;
  skipped: Readonly<Record<string, number>>;
  maskedSpans: number;
  branches: readonly { branch: string; commit: string }[];
  /** Null where no symbols are extracted, or nothing is indexed. */
  symbols: SymbolCoverage | null;
  /** What search by meaning has of it; null where nothing is embedded, or nothing is indexed. */
  embedding: EmbeddingCoverage | null;
  problem: string | null;
}

/** `headCommit` is where the default branch stands, as far as is known without asking anybody. */
export function indexOf(
  { id }: Repository,
  headCommit: string | null,
  indexing: Indexing | null,
  { symbols, embedding }: Pick<IndexValue, 'symbols' | 'embedding'>,
): IndexValue | null {
  if (!indexing) return null;
  const { state, indexedCommit, indexedMs, documents, skipped, maskedSpans, branches, problem } =
    indexing.status(id);
  const isBehind = state === 'indexed' && headCommit !== null && headCommit !== indexedCommit;
  return {
    state: isBehind ? 'behind' : state,
    commit: indexedCommit,
    indexedMs,
    documents,
    skipped,
    maskedSpans,
    branches,
    symbols,
    embedding,
    problem,
  };
}

export function indexWords(index: IndexValue, nowMs: number): string[] {
  const words = [stateSaid(index, nowMs)];
  const skipped = Object.entries(index.skipped)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `${count} ${reason}`);
  if (skipped.length > 0) words.push(`not searchable: ${skipped.join(', ')}`);
  if (index.maskedSpans > 0) words.push(`${index.maskedSpans} credentials masked`);
  if (index.branches.length > 1)
    words.push(`branches indexed: ${index.branches.map(({ branch }) => branch).join(', ')}`);
  if (index.symbols) words.push(...symbolWords(index.symbols));
  if (index.embedding) words.push(...embeddingWords(index.embedding));
  if (index.problem) words.push(`INDEX PROBLEM: ${index.problem}`);
  return words;
}

function symbolWords({ pending, skipped }: SymbolCoverage): string[] {
  const words = pending > 0 ? [`symbols of ${pending} files are still to come`] : [];
  // What has no structure to speak of lacks nothing.
  const { 'no-language': _none, ...lacking } = skipped;
  const reasons = Object.entries(lacking).map(([reason, count]) => `${count} ${reason}`);
  if (reasons.length > 0) words.push(`no symbols: ${reasons.join(', ')}`);
  return words;
}

/** For every repository in the same words, so that rows can be compared. */
function embeddingWords({ chunks, inTable, encoded }: EmbeddingCoverage): string[] {
  // Nothing is cut yet, or there is no text.
  if (chunks === 0) return ['found by meaning: no chunks'];
  const percent = (part: number) => Math.floor((100 * part) / chunks);
  return [`found by meaning: ${percent(inTable)} %`, `encoded: ${percent(encoded)} %`];
}

function stateSaid({ state, commit, indexedMs }: IndexValue, nowMs: number): string {
  const at = commit === null ? '' : ` ${shortCommit(commit)}`;
  const age = indexedMs === null ? '' : ` ${ageOf(nowMs - indexedMs)} ago`;
  switch (state) {
    case 'indexed':
      return `indexed${age}`;
    case 'behind':
      return `index behind: at${at},${age}`;
    case 'pending':
      return commit === null ? 'waits to be indexed' : `indexed at${at}${age}, a change waits`;
    case 'indexing':
      return commit === null ? 'being indexed' : `indexed at${at}${age}, being indexed anew`;
    case 'never':
      return 'not indexed';
    case 'failed':
      return commit === null ? 'indexing failed' : `indexed at${at}${age}, indexing anew failed`;
    case 'empty':
      return 'nothing to index';
  }
}

/** How far the index is, over the repositories listed alone: nothing is told of others. Nothing when all is there. */
export function indexNote(repositories: readonly Repository[], indexing: Indexing | null): string[] {
  if (!indexing) return [];
  const commits = repositories.map(({ id }) => indexing.status(id));
  const searchable = commits.filter(
    ({ state, indexedCommit }) => indexedCommit !== null || state === 'empty',
  ).length;
  if (searchable === repositories.length) return [];
  const percent = Math.floor((100 * searchable) / repositories.length);
  return [`codesearch has ${searchable} of these ${repositories.length} repositories so far (${percent} %).`];
}

import { PeriscopeError } from '../base/errors.ts';
import type { Repository } from '../catalog/index.ts';
import type { Indexing, ScipReceipt } from '../indexing/index.ts';
import type { Mirror } from '../mirrors/index.ts';
import { graphNotHere, scipCommitInvalid, scipCommitUnknown } from './errors.ts';

export interface ScipUpload {
  repo: string;
  /** The whole id. */
  commit: string;
  /** Folder that the index was made in; empty is the whole repository. */
  root: string;
  /** As an indexer wrote it. It is read once, front to back. */
  body: AsyncIterable<Uint8Array>;
}

/** For the writer to take it over; who waits longer is told that it will. */
const publishedWithinMs = 20_000;

/** Takes in what the SCIP index of a repository's own CI says of a commit. */
export async function takeUpload(
  { commit, root, body }: Omit<ScipUpload, 'repo'>,
  repository: Repository,
  deps: { name: string; indexing: Indexing | null; mirror: Mirror; signal: AbortSignal },
): Promise<ScipReceipt> {
  const { name, indexing, mirror, signal } = deps;
  if (indexing === null) throw graphNotHere();
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) throw scipCommitInvalid(commit);
  try {
    await mirror.resolve(commit, { signal });
  } catch (fault) {
    const isUnknown = fault instanceof PeriscopeError && fault.kind === 'ref-not-found';
    throw isUnknown ? scipCommitUnknown(name, commit) : fault;
  }
  return indexing.takeScip(repository, { commit, body, root }, { signal, budgetMs: publishedWithinMs });
}

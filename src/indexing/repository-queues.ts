import { asPeriscopeError } from '../base/errors.ts';
import type { Repository } from '../catalog/index.ts';
import type { RevisionEntry } from '../search/index.ts';
import type { Lane } from './build-threads.ts';
import { refsStamp } from './refs-stamp.ts';
import { entriesOf, type WritingGround } from './writing-ground.ts';

/** Which repositories have to be looked into: what is new in one lane, what has changed in the other. */
export interface RepositoryQueues {
  readonly bulk: Set<number>;
  readonly express: Set<number>;
  enqueue(id: number, lane: Lane): void;
  /** Looks at every repository, or at some, for what has changed; cheap for those where nothing has. */
  sweep(which?: (repository: Repository) => boolean): Promise<void>;
  isSweeping(): boolean;
  /** The end of a repository's turn, good or bad. */
  ended(id: number, headCommit: string | null, fault?: unknown): void;
}

const looksAtOnce = 16;

export function createRepositoryQueues(ground: WritingGround): RepositoryQueues {
  const { session, catalog, clock, logger, records, turns, signal, isKept } = ground;
  const bulk = new Set<number>();
  const express = new Set<number>();
  let sweeps = 0;

  return { bulk, express, enqueue, sweep, isSweeping: () => sweeps > 0, ended };

  function enqueue(id: number, lane: Lane): void {
    const record = records.of(id);
    if (record.isBusy) {
      record.again = true;
      return;
    }
    const isNew = entriesOf(ground, id).length === 0;
    if (isNew || lane === 'bulk') {
      if (!express.has(id)) bulk.add(id);
    } else {
      bulk.delete(id);
      express.add(id);
    }
    turns.ring();
  }

  async function sweep(which: (repository: Repository) => boolean = () => true): Promise<void> {
    sweeps += 1;
    try {
      const repositories = catalog.repositories();
      await forgetGone(repositories);
      for (const id of records.due(clock.now())) enqueue(id, 'bulk');
      const looked = repositories.filter(which);
      for (let at = 0; at < looked.length && !turns.isClosed(); at += looksAtOnce) {
        await Promise.all(looked.slice(at, at + looksAtOnce).map(look));
      }
    } finally {
      sweeps -= 1;
      turns.ring();
    }
  }

  async function look(repository: Repository): Promise<void> {
    const record = records.of(repository.id);
    if (record.isBusy || record.retryAtMs > clock.now()) return;
    const entries = entriesOf(ground, repository.id);
    const standing = entries.find(({ isDefault }) => isDefault);
    if (entries.some(isIncomplete)) {
      enqueue(repository.id, 'bulk');
      return;
    }
    if (repository.location.kind === 'folder') {
      if (standing) {
        const stamp = await refsStamp(repository.location.gitDir, clock.now());
        if (stamp !== null && (stamp === standing.refsStamp || stamp === record.refsStamp)) return;
      }
    } else if (standing) {
      const seen = await catalog.mirror(repository).peek({ signal });
      const isSame = seen.lastCommit === null || seen.lastCommit.commit === standing.head.commit;
      if (isSame && (isKept === null || seen.generation === record.refsGeneration)) return;
      record.refsGeneration = seen.generation;
    }
    if (standing === undefined && record.isEmpty && repository.location.kind === 'remote') {
      const { lastCommit } = await catalog.mirror(repository).peek({ signal });
      if (lastCommit === null) return;
    }
    enqueue(repository.id, standing ? 'express' : 'bulk');
  }

  async function forgetGone(repositories: readonly Repository[]): Promise<void> {
    const ids = new Set(repositories.map(({ id }) => id));
    records.keep(ids);
    const isGone = ({ repositoryId }: RevisionEntry) => !ids.has(repositoryId);
    if (!session.writer.state().revisions.some(isGone)) return;
    await session.publish((content) => ({
      ...content,
      revisions: content.revisions.filter((entry) => !isGone(entry)),
    }));
  }

  function ended(id: number, headCommit: string | null, fault?: unknown): void {
    const record = records.of(id);
    record.isBusy = false;
    if (fault === undefined) records.succeeded(id, headCommit);
    else if (!signal.aborted && !turns.isClosed()) {
      const { message, next, code } = asPeriscopeError(fault);
      turns.met(fault);
      // A full disk is told once, and not of each that waits for room.
      const isTheirs = code !== 'search/index-disk-full';
      records.failed(id, `${message} ${next}`, clock.now(), { isTheirs });
      if (isTheirs) logger.warn('a repository could not be indexed', { repositoryId: id, code, fault });
    }
    if (record.again) {
      record.again = false;
      enqueue(id, 'express');
    }
    turns.ring();
  }
}

/** A part of the index was damaged, and what lay in it has to be read again. */
function isIncomplete({ kind, head }: RevisionEntry): boolean {
  return kind === 'branch' && (head.skippedCounts.pending ?? 0) > 0;
}

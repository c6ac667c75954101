import type { Clock } from '../base/clock.ts';
import type { Catalog } from '../catalog/index.ts';
import { createFolderWatch } from './folder-watch.ts';
import type { IndexWriting } from './index-writing.ts';
import { pauseUntil } from './pause-until.ts';

export interface KeepFreshOptions {
  /** How often every repository is looked at. 0 never. */
  sweepIntervalMs: number;
  catalog: Catalog;
  clock: Clock;
  /** Whether damage may be looked for by now. */
  mayRepair(): boolean;
  signal: AbortSignal;
}

const lookMs = 500;
/** How often mirrors are looked at for what their refreshes brought, here or in another process. */
const mirrorLookMs = 15_000;
const unwatchedLookMs = 5000;
/** How often it is looked whether a file of the index is gone. What a search finds damaged is seen with each look. */
const missingLookMs = 5000;

/** Keeps the index up to date until something in it is damaged, the lease is lost or the process stops. */
export async function keepFresh(current: IndexWriting, options: KeepFreshOptions): Promise<void> {
  const { sweepIntervalMs, catalog, clock, mayRepair, signal } = options;
  const watch = createFolderWatch((id) => {
    const repository = catalog.repositories().find((candidate) => candidate.id === id);
    if (repository) current.changed(repository);
  });
  const watchFolders = () =>
    watch.follow(
      catalog
        .repositories()
        .flatMap(({ id, location }) => (location.kind === 'folder' ? [{ id, gitDir: location.gitDir }] : [])),
    );
  current.warm();
  let seen = -1;
  let sweptMs = 0;
  let mirrorsMs = clock.now();
  let unwatchedMs = clock.now();
  let missingMs = clock.now();
  try {
    while (!signal.aborted && current.damaged.size === 0) {
      const nowMs = clock.now();
      const isNewList = catalog.generation() !== seen;
      if (isNewList) {
        seen = catalog.generation();
        await watchFolders();
      }
      const isDue = sweepIntervalMs > 0 && nowMs - sweptMs >= sweepIntervalMs;
      if (isNewList || isDue) {
        sweptMs = nowMs;
        await current.sweep();
      } else if (nowMs - mirrorsMs >= mirrorLookMs) {
        mirrorsMs = nowMs;
        await current.sweep(({ location }) => location.kind === 'remote');
      } else if (watch.unwatched().size > 0 && nowMs - unwatchedMs >= unwatchedLookMs) {
        unwatchedMs = nowMs;
        await current.sweep(({ id }) => watch.unwatched().has(id));
      }
      if (mayRepair()) {
        const thorough = nowMs - missingMs >= missingLookMs;
        if (thorough) missingMs = nowMs;
        current.foundDamaged(await current.session.writer.damaged({ thorough }));
      }
      if (current.damaged.size === 0) await pauseUntil(lookMs, signal);
    }
  } finally {
    watch.close();
  }
}

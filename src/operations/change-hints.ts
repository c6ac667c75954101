import type { Repository } from '../catalog/index.ts';

export interface ChangeHintsDeps {
  /** Looks at a repository now. */
  changed(repository: Repository): void;
  /** Runs something later; the default keeps no process alive. */
  later?: (work: () => void, ms: number) => void;
}

/** How often one repository is looked at because somebody says so. */
const EVERY_MS = 1000;

/** Says at once that a repository has changed, then at most once a second, however many say so: the last one is never lost. */
export function createChangeHints({ changed, later = unrefTimer }: ChangeHintsDeps) {
  /** Looked at within the last second; true when somebody has said so again since. */
  const recent = new Map<number, boolean>();

  const look = (repository: Repository) => {
    recent.set(repository.id, false);
    changed(repository);
    later(() => {
      const again = recent.get(repository.id);
      recent.delete(repository.id);
      if (again) look(repository);
    }, EVERY_MS);
  };

  return {
    changed(repository: Repository): void {
      if (recent.has(repository.id)) recent.set(repository.id, true);
      else look(repository);
    },
  };
}

function unrefTimer(work: () => void, ms: number): void {
  setTimeout(work, ms).unref();
}

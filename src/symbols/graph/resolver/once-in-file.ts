import type { Resolved } from './types.ts';

/** What does not depend on where in a file a name stands. Uses of one file are resolved one after the other: the last file's are kept. */
export class OnceInFile {
  #last: { file: number; known: Map<string, readonly Resolved[]> } = { file: 0, known: new Map() };

  find(file: number, key: string, find: () => readonly Resolved[]): readonly Resolved[] {
    if (this.#last.file !== file) this.#last = { file, known: new Map() };
    const { known } = this.#last;
    let found = known.get(key);
    if (found === undefined) {
      found = find();
      known.set(key, found);
    }
    return found;
  }
}

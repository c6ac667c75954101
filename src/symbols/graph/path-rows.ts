import type { AskedGround } from '../../search/index.ts';

type Manifest = Pick<AskedGround['manifests'][number], 'classStarts' | 'pathStarts' | 'pathBytes'>;

const CLASSES = 4;

/**
 * Rows of paths. Resolving asks for many that are not there (`a/index.ts`, `a/__init__.py`, …): bytes are compared in place, behind what
 * both ends of the search have in common with the path.
 */
export class PathRows {
  #wanted = Buffer.alloc(4096);
  /** Of the path and the row that was compared last. */
  #shared = 0;

  /** -1 for none. */
  rowOf({ classStarts, pathStarts, pathBytes }: Manifest, path: string): number {
    if (path.length * 3 > this.#wanted.length) this.#wanted = Buffer.alloc(path.length * 6);
    const length = this.#wanted.write(path);
    for (let documentClass = 0; documentClass < CLASSES; documentClass++) {
      let low = classStarts[documentClass]!;
      let high = classStarts[documentClass + 1]!;
      let lowShared = 0;
      let highShared = 0;
      while (low < high) {
        const middle = (low + high) >>> 1;
        this.#shared = Math.min(lowShared, highShared);
        const order = this.#compare(pathBytes, pathStarts[middle]!, pathStarts[middle + 1]!, length);
        if (order === 0) return middle;
        if (order < 0) {
          high = middle;
          highShared = this.#shared;
        } else {
          low = middle + 1;
          lowShared = this.#shared;
        }
      }
    }
    return -1;
  }

  #compare(paths: Uint8Array, start: number, end: number, length: number): number {
    const wanted = this.#wanted;
    const most = Math.min(length, end - start);
    let at = this.#shared;
    while (at < most && wanted[at] === paths[start + at]) at++;
    this.#shared = at;
    return at < most ? wanted[at]! - paths[start + at]! : length - (end - start);
  }
}

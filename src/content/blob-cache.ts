import { LRUCache } from 'lru-cache';

/** What a cached thing holds in memory. */
export interface Sized {
  readonly cachedBytes: number;
}

export interface BlobCache<T extends Sized> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  readonly entries: number;
  readonly bytes: number;
  readonly hits: number;
}

/** Key, list links and objects around the bytes, so that many tiny files do not outgrow the bound. */
const entryBytes = 512;

/** Least recently used, bounded by bytes alone. */
export function createBlobCache<T extends Sized>(bytesMax: number): BlobCache<T> {
  let hits = 0;
  // The library takes 0 for "no bound"; here it keeps nothing.
  const kept =
    bytesMax > 0
      ? new LRUCache<string, T>({
          maxSize: bytesMax,
          sizeCalculation: (value) => value.cachedBytes + entryBytes,
        })
      : null;
  return {
    get(key) {
      const value = kept?.get(key);
      if (value !== undefined) hits += 1;
      return value;
    },
    set(key, value) {
      kept?.set(key, value);
    },
    get entries() {
      return kept?.size ?? 0;
    },
    get bytes() {
      return kept?.calculatedSize ?? 0;
    },
    get hits() {
      return hits;
    },
  };
}

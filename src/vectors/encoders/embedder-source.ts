import { cancelled } from '../../base/errors.ts';
import type { Embedder } from '../types.ts';

/** An embedder that is opened with its first use: an endpoint may be away then, and a model takes memory. */
export interface EmbedderSource {
  /** The same one each time; where it cannot be opened, it is tried again with the next call. */
  open(signal: AbortSignal): Promise<Embedder>;
  close(): Promise<void>;
}

export function createEmbedderSource(opening: (signal: AbortSignal) => Promise<Embedder>): EmbedderSource {
  const closing = new AbortController();
  let opened: Promise<Embedder> | null = null;
  return {
    open(signal) {
      if (closing.signal.aborted || signal.aborted) return Promise.reject(cancelled());
      // Not with the caller's signal: others wait for the same one.
      opened ??= opening(closing.signal).catch((fault: unknown) => {
        opened = null;
        throw fault;
      });
      return opened;
    },
    async close() {
      closing.abort();
      const embedder = await opened?.catch(() => null);
      await embedder?.close();
    },
  };
}

import { openSummed, SummedFile, type SummedHandle, type SummedKind } from '../segments/summed-file.ts';
import { chunksBroken } from './chunks-errors.ts';
import {
  CHUNKS_PAGE,
  type ChunksHead,
  type ChunksTables,
  chunksTablesOver,
  decodeChunksHead,
} from './chunks-format.ts';

/** Chunks as they are sent to another thread, which shares their tables. */
export type ChunksHandle = SummedHandle<ChunksHead>;

const chunksFile: SummedKind<ChunksHead, ChunksTables> = {
  pageBytes: CHUNKS_PAGE,
  decodeHead: decodeChunksHead,
  tablesOver: chunksTablesOver,
  broken: chunksBroken,
};

/** Opens a chunks file: its tables are read into shared memory as they are, and checked. */
export function openChunks(file: string): OpenChunks {
  return openSummed(chunksFile, file, (handle, fd) => new OpenChunks(handle, fd));
}

/** The same chunks in another thread, by a file descriptor of its own. */
export function attachChunks(handle: ChunksHandle): OpenChunks {
  return new OpenChunks(handle);
}

/** Open chunks: their tables in memory, all else on disk. A ChunksReader reads them. */
export class OpenChunks extends SummedFile<ChunksHead, ChunksTables> {
  constructor(handle: ChunksHandle, fd?: number) {
    super(chunksFile, handle, fd);
  }

  /** Of the segment that these are the chunks of. */
  get blobs(): number {
    return this.head.blobs;
  }

  get chunks(): number {
    return this.head.chunks;
  }

  get chunksVersion(): string {
    return this.head.chunksVersion;
  }
}

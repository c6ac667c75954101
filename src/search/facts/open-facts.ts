import { openSummed, SummedFile, type SummedHandle, type SummedKind } from '../segments/summed-file.ts';
import { factsBroken } from './facts-errors.ts';
import {
  decodeFactsHead,
  FACTS_PAGE,
  type FactsHead,
  type FactsTables,
  factsTablesOver,
} from './facts-format.ts';

/** Facts as they are sent to another thread, which shares their tables. */
export type FactsHandle = SummedHandle<FactsHead>;

const factsFile: SummedKind<FactsHead, FactsTables> = {
  pageBytes: FACTS_PAGE,
  decodeHead: decodeFactsHead,
  tablesOver: factsTablesOver,
  broken: factsBroken,
};

/** Opens a facts file: its tables are read into shared memory as they are, and checked. */
export function openFacts(file: string): OpenFacts {
  return openSummed(factsFile, file, (handle, fd) => new OpenFacts(handle, fd));
}

/** The same facts in another thread, by a file descriptor of its own. */
export function attachFacts(handle: FactsHandle): OpenFacts {
  return new OpenFacts(handle);
}

/** Open facts: their tables in memory, all else on disk. A FactsReader reads them. */
export class OpenFacts extends SummedFile<FactsHead, FactsTables> {
  constructor(handle: FactsHandle, fd?: number) {
    super(factsFile, handle, fd);
  }

  /** Of the segment that these are the facts of. */
  get blobs(): number {
    return this.head.blobs;
  }

  get factsVersion(): string {
    return this.head.factsVersion;
  }
}

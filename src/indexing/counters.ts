/** Work done, for metrics, benches and tests that count instead of timing. */
export interface IndexCounters {
  repositoriesPlanned: number;
  blobsRead: number;
  blobsDecoded: number;
  segmentsBuilt: number;
  textBytesBuilt: number;
  manifestsWritten: number;
  merges: number;
  textBytesMerged: number;
  publications: number;
  dictionariesTrained: number;
  filesDeleted: number;
  /** Texts that went through an extractor. */
  factsExtracted: number;
  /** Segments that were given facts. */
  factsBuilt: number;
  /** Merges that took the facts of their inputs with them. */
  factsMerged: number;
  /** Texts that were cut into chunks. */
  chunksCut: number;
  /** Segments that were given chunks. */
  chunksBuilt: number;
  /** Merges that took the chunks of their inputs with them. */
  chunksMerged: number;
  /** Parser threads that a text has ended. */
  parsersReplaced: number;
}

export function noIndexWork(): IndexCounters {
  return {
    repositoriesPlanned: 0,
    blobsRead: 0,
    blobsDecoded: 0,
    segmentsBuilt: 0,
    textBytesBuilt: 0,
    manifestsWritten: 0,
    merges: 0,
    textBytesMerged: 0,
    publications: 0,
    dictionariesTrained: 0,
    filesDeleted: 0,
    factsExtracted: 0,
    factsBuilt: 0,
    factsMerged: 0,
    chunksCut: 0,
    chunksBuilt: 0,
    chunksMerged: 0,
    parsersReplaced: 0,
  };
}

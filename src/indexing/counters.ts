/** Work done, for metrics, benches and tests that count instead of timing. */
export interface IndexCounters {
  repositoriesPlanned: number;
  blobsRead: number;
  blobsDecoded: number;
  segmentsBuilt: number;
  textBytesBuilt: number;
  manifestsWritten: number;
  /** Of them, copies of another repository's with the very same files. */
  manifestsCopied: number;
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
  /** Texts that an opt-out has hidden, and that leave the index. */
  textsEvicted: number;
  /** Chunks that were given a vector of the table. */
  chunksEmbedded: number;
  /** Chunks that the encoder has seen. */
  chunksEncoded: number;
  /** Texts that the encoder's endpoint did not take. */
  textsPassedOver: number;
  /** Times that the encoder failed and was left alone for a while. */
  encoderFailures: number;
  /** Vectors of texts that have gone. */
  vectorsDeleted: number;
  /** Parts of the vectors that were found damaged, and dropped. */
  vectorPartsBroken: number;
  /** Times that the vectors were opened anew, because another writer or damage was met. */
  vectorsReopened: number;
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
    manifestsCopied: 0,
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
    textsEvicted: 0,
    chunksEmbedded: 0,
    chunksEncoded: 0,
    textsPassedOver: 0,
    encoderFailures: 0,
    vectorsDeleted: 0,
    vectorPartsBroken: 0,
    vectorsReopened: 0,
    parsersReplaced: 0,
  };
}

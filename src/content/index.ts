export type {
  Content,
  ContentOptions,
  ContentPolicy,
  DecodedBlameLine,
  DecodedCommit,
  DecodedDiff,
  Document,
  LineSlice,
  ScannedFile,
  TextDocument,
  TextEncoding,
} from './types.ts';

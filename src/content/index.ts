/**
 * Content: the one door. Every byte of a repository that leaves `mirrors/` for anyone is read through here.
 *
 * Offers `createContent`: files as text in UTF-8 (with the encoding that they had) by lines, or as what they are where they are no
 * text; listings, walks, scans, history, diffs and blame without opted-out paths, and everything with credentials masked. What to
 * hide and what to mask is a `ContentPolicy`: `createContentPolicies` reads it from the repository's own opt-out file, `.periscope/ignore`
 * on the default branch, and masks what `secrets/` finds. `decodeBlob` is the door for indexing: pure, for any thread.
 * Does not know: who asks (the gate has decided), which repository a mirror is, or how answers are shown.
 *
 * Start at create-content.ts. decode-text.ts and text-lines.ts turn bytes into lines; line-index.ts and text-page.ts do the same
 * for files too large to hold; opt-out.ts makes a hidden path look like a missing one; directory-view.ts says what a scan may put
 * on the disk.
 */
export { type ContentPolicies, createContentPolicies } from './content-policies.ts';
export { type ContentDeps, createContent } from './create-content.ts';
export { type DecodedBlob, decodeBlob } from './decode-blob.ts';
export type {
  Content,
  ContentCounters,
  ContentOptions,
  ContentPolicy,
  DecodedBlameLine,
  DecodedCommit,
  DecodedDiff,
  Document,
  LineSlice,
  RepositoryPolicy,
  ScannedFile,
  TextDocument,
  TextEncoding,
} from './types.ts';

import type { OpenGeneration } from '../index-folder/open-index.ts';
import type { RevisionEntry } from '../index-folder/types.ts';
import type { OpenedSegment } from './index-segments.ts';
import type { GenerationMessage } from './search-messages.ts';

/** What a thread has of generations. */
export type KnownGenerations = Map<
  number,
  {
    segments: ReadonlySet<string>;
    facts: ReadonlySet<string>;
    chunks: ReadonlySet<string>;
    scip: ReadonlySet<string>;
    revisions: ReadonlySet<string>;
  }
>;

/** Brings a thread a generation, without what it has already. It keeps those that are `wanted`, and so does `known`. */
export function generationMessage(
  known: KnownGenerations,
  { generation, places, segments, facts, chunks, scip, revisions, broken }: OpenGeneration<OpenedSegment>,
  wanted: ReadonlySet<number>,
): GenerationMessage {
  const before = [...known.values()];
  const keys = revisions.map(({ entry }) => revisionKey(entry));
  const message = {
    kind: 'generation' as const,
    generation,
    places: places.shared,
    segments: segments.map(({ slot, entry: { file }, segment: { file: open } }) => ({
      slot,
      file,
      handle: before.some((other) => other.segments.has(file)) ? null : open.handle,
      facts: besideOf(facts.get(file), 'facts'),
      chunks: besideOf(chunks.get(file), 'chunks'),
    })),
    revisions: revisions.map(({ entry: { repositoryId, revision, kind, isDefault }, manifest }, at) => {
      const key = keys[at]!;
      if (before.some((other) => other.revisions.has(key))) return { key, sent: null };
      return { key, sent: { repositoryId, revision, kind, isDefault, manifest: manifest.handle } };
    }),
    scip: [...scip].map(([key, { file, handle }]) => {
      return { key, file, handle: before.some((other) => other.scip.has(file)) ? null : handle };
    }),
    isWhole: broken.length === 0,
  };
  for (const number of known.keys()) if (!wanted.has(number)) known.delete(number);
  known.set(generation, {
    segments: new Set(segments.map(({ entry }) => entry.file)),
    facts: new Set([...facts.values()].map(({ file }) => file)),
    chunks: new Set([...chunks.values()].map(({ file }) => file)),
    scip: new Set([...scip.values()].map(({ file }) => file)),
    revisions: new Set(keys),
  });
  return { ...message, kept: [...known.keys()] };

  function besideOf<Handle>(open: { file: string; handle: Handle } | undefined, kind: 'facts' | 'chunks') {
    if (!open) return null;
    const { file, handle } = open;
    return { file, handle: before.some((other) => other[kind].has(file)) ? null : handle };
  }
}

/** What decides how a revision is searched: when it was looked at last does not. */
function revisionKey({ repositoryId, revision, kind, isDefault, file }: RevisionEntry): string {
  return `${repositoryId} ${kind} ${isDefault} ${file} ${revision}`;
}

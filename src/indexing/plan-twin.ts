import type { RepositoryPolicy } from '../content/index.ts';
import type { Mirror } from '../mirrors/index.ts';
import type { Manifest, RevisionEntry } from '../search/index.ts';
import { isShared } from './shared-blobs.ts';

/** A revision that is to be indexed, by what makes its documents the same as those of another. */
export interface TwinWanted {
  repositoryId: number;
  mirror: Mirror;
  policy: RepositoryPolicy;
  tree: string;
  objectsBy: string | null;
}

export interface TwinContext {
  /** What is published in this moment, of all repositories. */
  published(): readonly RevisionEntry[];
  openManifest(entry: RevisionEntry): Promise<Manifest>;
  /** Keeps a text in the index until what refers to it is published. */
  pin(blobId: number): void;
  signal: AbortSignal;
}

/**
 * The manifest of a branch that is indexed with the very same tree, as a fork's is: each of its rows is what this one's would be, and
 * nothing has to be listed, sized or classified. Null where there is none, or where this repository's opt-out is another, does not
 * hold each of the files itself, or may not be shown what the other has brought.
 */
export async function twinOf(wanted: TwinWanted, context: TwinContext): Promise<Manifest | null> {
  const { mirror, tree, policy, objectsBy, repositoryId } = wanted;
  const isTwin = ({ kind, head, repositoryId: other }: RevisionEntry) =>
    kind === 'branch' &&
    head.tree === tree &&
    head.policyKey === policy.key &&
    (other === repositoryId || isShared(head.objectsBy ?? `repository ${other}`, objectsBy)) &&
    !(head.skippedCounts.pending || head.skippedCounts.missing || head.skippedCounts.unreadable);
  const entry = context.published().find(isTwin);
  if (entry === undefined) return null;
  const manifest = await context.openManifest(entry).catch(() => null);
  // Replaced meanwhile: its texts may be on their way out.
  const isPublished = context.published().some(({ file }) => file === entry.file);
  if (manifest === null || !isPublished) return null;
  for (const blobId of manifest.blobIds) context.pin(blobId);
  const oids = Array.from({ length: manifest.rows }, (_, row) => manifest.oid(row));
  return (await mirror.holdsAll(oids, { signal: context.signal })) ? manifest : null;
}

import type { RepositoryPolicy } from '../content/index.ts';
import type { IndexContent, ManifestRow, RevisionEntry } from '../search/index.ts';
import type { IndexCounters } from './counters.ts';
import type { IndexSession } from './index-session.ts';
import { mayBeSampled } from './sampled-blobs.ts';

/** The key of no policy. */
const HALF_HIDDEN = 'half hidden';

/**
 * Hides what a policy hides now from every revision of a repository that is indexed, at once, and remembers which texts have to
 * leave the disk. What the policy has shown anew comes with the plan that follows. `policy` null hides all.
 */
export async function hideOptedOut(
  entries: readonly RevisionEntry[],
  policy: RepositoryPolicy | null,
  { session, counters }: { session: IndexSession; counters: IndexCounters },
): Promise<void> {
  const stale = entries.filter(({ head }) => policy === null || head.policyKey !== policy.key);
  if (stale.length === 0) return;
  const evicted = new Map<number, string>();
  const replacing = new Map<string, Pick<RevisionEntry, 'file' | 'head'> | null>();
  for (const entry of stale) {
    if (replacing.has(entry.file)) continue;
    const manifest = await session.openManifest(entry);
    const rows = Array.from({ length: manifest.rows }, (_, row) => manifest.row(row));
    const shown = policy === null ? [] : rows.filter(({ path }) => !policy.optedOut(path));
    if (shown.length === rows.length) continue;
    const kept = new Set(shown.map(({ blobId }) => blobId));
    for (const { blobId, oid } of rows) if (blobId !== 0 && !kept.has(blobId)) evicted.set(blobId, oid);
    const hidden = rows.length - shown.length;
    replacing.set(entry.file, policy === null ? null : await filtered(entry, shown, hidden));
  }
  if (replacing.size === 0) return;
  counters.textsEvicted += evicted.size;
  await session.publish((content) => ({
    ...content,
    revisions: content.revisions.flatMap((entry) => {
      const by = replacing.get(entry.file);
      if (by === undefined) return [entry];
      return by === null ? [] : [{ ...entry, ...by }];
    }),
    evicting: [...new Set([...content.evicting, ...evicted.keys()])],
    ...withoutSampled(content, evicted.values()),
  }));

  async function filtered(entry: RevisionEntry, rows: ManifestRow[], hidden: number) {
    counters.manifestsWritten += 1;
    const { skippedCounts, documents: _d, maskedSpans: _m, ...head } = entry.head;
    const optedOut = (skippedCounts['opted-out'] ?? 0) + hidden;
    const credentialNames = skippedCounts['credential-in-name'] ?? 0;
    // What the new policy shows anew is still missing, and what the old one showed is gone: it is whole by neither.
    const policyKey = HALF_HIDDEN;
    return session.writeManifest({ head: { ...head, policyKey, optedOut, credentialNames }, rows });
  }
}

/** Dictionaries are pieces of texts: those that were trained on a text that is hidden now have to go as well. */
function withoutSampled(content: IndexContent, oids: Iterable<string>): Partial<IndexContent> {
  const { dictionaries, sampled, retired } = content;
  if (dictionaries === null || (sampled !== null && !mayBeSampled(sampled, oids))) return {};
  return {
    dictionaries: null,
    dictionariesTextBytes: 0,
    sampled: null,
    retired: [...new Set([...retired, dictionaries])],
  };
}

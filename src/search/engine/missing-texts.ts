import { segmentsBySlot, type TextPlaces, type ViewedManifest } from './view.ts';

/** By manifest, how many of its documents have a text that lies in no segment which could be opened. Null where none has. */
export function missingTexts(
  manifests: readonly ViewedManifest[],
  { table, segments }: TextPlaces,
): Uint32Array | null {
  const segmentOfSlot = segmentsBySlot(segments);
  const missing = Uint32Array.from(manifests, ({ blobIds }) => {
    let count = 0;
    for (let row = 0; row < blobIds.length; row++) {
      const blobId = blobIds[row]!;
      if (blobId !== 0 && !((segmentOfSlot[table[2 * blobId]!] ?? -1) >= 0)) count++;
    }
    return count;
  });
  return missing.some((count) => count > 0) ? missing : null;
}

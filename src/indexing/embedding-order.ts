import path from 'node:path';
import { readBlobIds } from '../search/index.ts';
import type { IndexSession } from './index-session.ts';

const CLASSES = 4;

/**
 * Texts in the order in which the encoder sees them: by the best class of a document that shows them (source, tests, vendored and
 * generated), then by how new the commit is, then by how much others use them; revisions that were only visited come last. Three by
 * three: number of the text, position of its segment among `files`, its blob there. `uses`: by the same positions and blobs; null where
 * nothing is known.
 */
export async function encodingOrder(
  session: IndexSession,
  files: readonly string[],
  uses: readonly (Uint32Array | null)[],
): Promise<Uint32Array> {
  const { writer } = session;
  const { segments, revisions } = writer.state();
  const places = new Map<number, readonly [number, number]>();
  files.forEach((file, number) => {
    const segment = segments.find((one) => one.file === file);
    if (segment === undefined) return;
    session.blobIdsOf(segment).forEach((blobId, blob) => {
      places.set(blobId, [number, blob]);
    });
  });
  const order = new Uint32Array(places.size * 3);
  let end = 0;
  const take = (blobId: number) => {
    const place = places.get(blobId);
    if (place === undefined) return;
    order.set([blobId, ...place], end);
    end += 3;
    places.delete(blobId);
  };
  const newest = [...revisions].sort(
    (a, b) =>
      Number(a.kind === 'visited') - Number(b.kind === 'visited') ||
      b.head.committedMs - a.head.committedMs ||
      a.repositoryId - b.repositoryId,
  );
  const columns = [];
  for (const file of new Set(newest.map((entry) => entry.file))) {
    const read = await readBlobIds(path.join(writer.folder, file)).catch(goneAsNull);
    if (read !== null) columns.push(read);
  }
  for (let classNumber = 0; classNumber < CLASSES; classNumber++) {
    for (const { blobIds, classStarts } of columns) {
      const texts = blobIds.subarray(classStarts[classNumber]!, classStarts[classNumber + 1]!);
      for (const blobId of mostUsedFirst(texts)) take(blobId);
    }
  }
  // What nothing shows waits until something does.
  return order.subarray(0, end);

  /** Of equals in the order that they have. */
  function mostUsedFirst(texts: Uint32Array): number[] {
    const used = (blobId: number) => {
      const place = places.get(blobId);
      return place === undefined ? 0 : (uses[place[0]]?.[place[1]] ?? 0);
    };
    return Array.from(texts, (blobId) => ({ blobId, used: used(blobId) }))
      .sort((a, b) => b.used - a.used)
      .map(({ blobId }) => blobId);
  }
}

/** Replaced since: its successor comes with the next order. */
function goneAsNull(error: { code?: string }): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

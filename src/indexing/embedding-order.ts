import path from 'node:path';
import { readBlobIds } from '../search/index.ts';
import type { IndexSession } from './index-session.ts';

const CLASSES = 4;

/**
 * Texts in the order in which the encoder sees them: by the best class of a document that shows them (source, tests, vendored and
 * generated), then by how new the commit is; revisions that were only visited come last. Three by three: number of the text, position
 * of its segment among `files`, its blob there.
 */
export async function encodingOrder(session: IndexSession, files: readonly string[]): Promise<Uint32Array> {
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
      for (let row = classStarts[classNumber]!; row < classStarts[classNumber + 1]!; row++)
        take(blobIds[row]!);
    }
  }
  // What nothing shows waits until something does.
  return order.subarray(0, end);
}

/** Replaced since: its successor comes with the next order. */
function goneAsNull(error: { code?: string }): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

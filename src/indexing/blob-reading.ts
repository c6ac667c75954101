import type { PlannedBlob } from './plan-types.ts';

export interface ReadBlob {
  blob: PlannedBlob;
  /** Null: it is gone since its size was asked, or git cannot read it. */
  bytes: Buffer | null;
}

/** A repository of which less than this is left to read is read at once. */
const smallBytes = 4 * 1024 * 1024;
const aheadBytesMax = 64 * 1024 * 1024;

/**
 * Blobs in the order given. Neighbours of one repository are read by one git process; a small repository's are all read when its
 * first one comes, and wait for their turn, so that their order does not cost a process for each class of each repository. A
 * repository that cannot be read is told to `failed` and passed over.
 */
export async function* readInOrder(
  blobs: readonly PlannedBlob[],
  { signal, failed }: { signal: AbortSignal; failed(repositoryId: number, fault: unknown): void },
): AsyncGenerator<ReadBlob> {
  const ahead = new Map<PlannedBlob, Buffer | null>();
  const left = leftByRepository(blobs);
  const broken = new Set<number>();
  let aheadBytes = 0;
  for (let at = 0; at < blobs.length; ) {
    const first = blobs[at]!;
    if (broken.has(first.repositoryId)) {
      at += 1;
      continue;
    }
    const waiting = ahead.get(first);
    if (waiting !== undefined) {
      ahead.delete(first);
      aheadBytes -= waiting?.length ?? 0;
      at += 1;
      yield { blob: first, bytes: waiting };
      continue;
    }
    const rest = left.get(first.repositoryId)!;
    const isSmall = rest.bytes <= smallBytes && aheadBytes + rest.bytes <= aheadBytesMax;
    let runEnd = at + 1;
    while (blobs[runEnd]?.repositoryId === first.repositoryId) runEnd += 1;
    const run = blobs.slice(at, runEnd);
    const asked = isSmall ? rest.blobs : run;
    const reading = first.mirror.blobs(
      asked.map(({ oid }) => oid),
      { signal, bytesMax: Number.POSITIVE_INFINITY },
    );
    let index = 0;
    try {
      for await (const { bytes } of reading) {
        const blob = asked[index]!;
        index += 1;
        rest.bytes -= blob.sizeBytes;
        if (index <= run.length) {
          yield { blob, bytes };
          continue;
        }
        // A copy: it would keep all that was read with it.
        const kept = bytes === null ? null : Buffer.from(bytes);
        ahead.set(blob, kept);
        aheadBytes += kept?.length ?? 0;
      }
    } catch (fault) {
      if (signal.aborted) throw fault;
      broken.add(first.repositoryId);
      failed(first.repositoryId, fault);
    }
    rest.blobs = rest.blobs.slice(asked.length);
    at = runEnd;
  }
}

function leftByRepository(blobs: readonly PlannedBlob[]) {
  const left = new Map<number, { blobs: PlannedBlob[]; bytes: number }>();
  for (const blob of blobs) {
    const known = left.get(blob.repositoryId) ?? { blobs: [], bytes: 0 };
    known.blobs.push(blob);
    known.bytes += blob.sizeBytes;
    left.set(blob.repositoryId, known);
  }
  return left;
}

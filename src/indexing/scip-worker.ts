/** A thread that makes one uploaded SCIP index into a file of ours, and ends. */
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { asPeriscopeError } from '../base/errors.ts';
import {
  type DictionarySet,
  damagedFileOf,
  noteDamage,
  openDictionaries,
  openManifest,
  openSegment,
  SegmentReader,
} from '../search/index.ts';
import { createSecretScanner } from '../secrets/index.ts';
import { takeScipIndex } from '../symbols/index.ts';
import type { ScipReply, ScipWorkerData } from './scip-messages.ts';

const ringBytes = 4 << 20;

if (parentPort === null) throw new Error('scip-worker runs as a thread');
parentPort.postMessage(await reply(workerData as ScipWorkerData));

async function reply(data: ScipWorkerData): Promise<ScipReply> {
  try {
    const { upload, file, root, fileBytesMax } = data;
    const textOf = await textsOf(data);
    const { mask } = createSecretScanner();
    return { taken: takeScipIndex({ upload, file, root, fileBytesMax, textOf, mask }) };
  } catch (error) {
    if (damagedFileOf(error) !== null) {
      // One that is only replaced is noted in vain, and nothing comes of it.
      noteDamage(path.join(path.dirname(data.manifest), damagedFileOf(error)!));
      return { taken: 'gone' };
    }
    const { kind, code, message, next, data: more } = asPeriscopeError(error);
    return { fault: { kind, code, message, next, options: { data: more } } };
  }
}

/** The stored texts of a commit by path: decoded, masked, without what is opted out. */
async function textsOf({ manifest: manifestFile, segments }: ScipWorkerData) {
  const manifest = await openManifest(manifestFile);
  const wanted = new Set(manifest.blobIds);
  const sets = new Map<string, DictionarySet>();
  for (const file of new Set(segments.map(({ dictionaries }) => dictionaries))) {
    if (file === null) continue;
    const set = openDictionaries(file);
    sets.set(set.hash, set);
  }
  const places = new Map<number, { segment: ReturnType<typeof openSegment>; blob: number }>();
  for (const { file } of segments) {
    const segment = openSegment(file, sets);
    let isNeeded = false;
    for (const [blob, blobId] of segment.tables.blobIds.entries()) {
      if (blobId === 0 || !wanted.has(blobId)) continue;
      places.set(blobId, { segment, blob });
      isNeeded = true;
    }
    if (!isNeeded) segment.close();
  }
  const reader = new SegmentReader({ ringBytes });
  return (path: string): Uint8Array | null => {
    const row = manifest.rowOfPath(path);
    const place = row < 0 ? undefined : places.get(manifest.blobIds[row]!);
    return place === undefined ? null : reader.blobText(place.segment, place.blob);
  };
}

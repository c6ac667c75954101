import type { Catalog, Repository } from '../catalog/index.ts';
import type { ContentPolicies } from '../content/index.ts';
import { dictionaryGroup } from '../search/index.ts';
import type { BuildItem } from './build-messages.ts';
import type { BuildThread } from './build-threads.ts';

const repositoriesMax = 48;
const samplesMax = 6000;
const sampleBytesMax = 128 * 1024;

/**
 * Hands a thread files of the installation's own repositories, evenly chosen over those that are here to be read, for training
 * compression on; returns their object ids. What is opted out is no sample.
 */
export async function sampleRepositories(
  thread: BuildThread,
  repositories: readonly Repository[],
  deps: { catalog: Catalog; policies: ContentPolicies; signal: AbortSignal },
): Promise<string[]> {
  const sampled: string[] = [];
  const { catalog, policies, signal } = deps;
  const local = repositories.filter(({ location }) => location.kind === 'folder');
  const asked = evenly(local.length > 0 ? local : repositories, repositoriesMax);
  const samplesEach = Math.ceil(samplesMax / Math.max(1, asked.length));
  for (const repository of asked) {
    try {
      const mirror = catalog.mirror(repository);
      const { commit } = await mirror.resolve(undefined, { signal });
      const policy = await policies.policyOf(mirror, commit);
      const { entries } = await mirror.walk(commit, '', { signal, depthMax: 64, limit: 200_000 });
      const files = entries.filter(({ kind, path }) => kind === 'file' && !policy.optedOut(path));
      const chosen = evenly(files, samplesEach);
      const read = mirror.blobs(
        chosen.map(({ oid }) => oid),
        { signal, bytesMax: sampleBytesMax },
      );
      let at = 0;
      for await (const { oid, bytes } of read) {
        const { path } = chosen[at++]!;
        if (bytes === null) continue;
        const buffer = new ArrayBuffer(bytes.length);
        new Uint8Array(buffer).set(bytes);
        const group = dictionaryGroup(path);
        const item: BuildItem = { oid, blobId: 0, group, verify: false, offset: 0, length: bytes.length };
        sampled.push(oid);
        await thread.ask<'samples'>({ kind: 'samples', buffer, items: [item] }, [buffer]);
      }
    } catch (fault) {
      // One that cannot be read teaches nothing; whoever indexes it says why.
      if (signal.aborted) throw fault;
    }
  }
  return sampled;
}

function evenly<T>(items: readonly T[], most: number): T[] {
  if (items.length <= most) return [...items];
  return Array.from({ length: most }, (_, at) => items[Math.floor((at * items.length) / most)]!);
}

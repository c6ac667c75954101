import { sampleRepositories } from './dictionary-samples.ts';
import { sampledFilter } from './sampled-blobs.ts';
import type { WritingGround } from './writing-ground.ts';

const trainingBytesMin = 4 * 2 ** 20;
/** Trained again when so many times the text is there: at first a dictionary knows only what came first. */
const trainingGrowth = 4;

/** Trains dictionaries where there is text enough, and again when it has become much more. `bytes` and `repositories` are on their way. */
export async function trainWhereWorth(
  { session, catalog, policies, counters, revisions, threads, signal }: WritingGround,
  { bytes, repositories }: { bytes: number; repositories: number },
): Promise<void> {
  const state = session.writer.state();
  const textBytes = state.segments.reduce((sum, segment) => sum + segment.textBytes, bytes);
  const isWorth = textBytes >= trainingBytesMin && textBytes >= state.dictionariesTextBytes * trainingGrowth;
  if (!isWorth) return;
  const indexed = Math.max(1, revisions.all(state).size + repositories);
  const trained = await threads.use('bulk', signal, async (thread) => {
    const oids = await sampleRepositories(thread, catalog.repositories(), { catalog, policies, signal });
    const set = await thread.ask<'train'>({ kind: 'train', folder: session.writer.folder });
    return set && { name: set.name, sampled: sampledFilter(oids) };
  });
  if (trained === null) return;
  counters.dictionariesTrained += 1;
  session.writer.keepDictionaries(trained.name);
  await session.publish((content) => ({
    ...content,
    dictionaries: trained.name,
    sampled: trained.sampled,
    // Samples were taken of all repositories, whatever has been read of them so far.
    dictionariesTextBytes: Math.max(textBytes, (textBytes / indexed) * catalog.repositories().length),
  }));
}

import path from 'node:path';
import { cancelled } from '../base/errors.ts';
import type { FactsSkip, FactsSummary, IndexWriter, SegmentEntry } from '../search/index.ts';
import type { IndexCounters } from './counters.ts';
import type { SegmentDocuments } from './facts-documents.ts';
import { UNNAMED_LANGUAGE } from './facts-messages.ts';
import { type FactsThread, type FactsThreads, ParserEnded } from './facts-threads.ts';
import { eachPart, orderOfParts, type PartRange, partsOf } from './segment-parts.ts';

export interface FactsExtractionDeps {
  threads: FactsThreads;
  writer: IndexWriter;
  counters: IndexCounters;
  factsVersion: string;
  /** Parts that are worked on at once. */
  workers: number;
  /** Returns when the part of this place among them may go on. */
  mayGoOn(place: number): Promise<void>;
  /** Whether the segment is still to have facts; the work ends with `cancelled` when not. */
  isWanted(): boolean;
  /** Text that has been gone through. */
  read(bytes: number): void;
  signal: AbortSignal;
}

/** What a thread does before others get a turn with it. */
const sliceMs = 100;
/** What is lost when a text ends its thread, and what two threads share out among themselves. */
const sizes = { partBytes: 8 * 2 ** 20, wholeBytes: 3 * 2 ** 20 };
/** A thread that ends again and again without being at a text is at fault itself. */
const endsMax = 3;

let jobs = 0;

interface Part extends PartRange {
  languages: Uint16Array;
  paths: readonly string[];
  file: string;
}

/** Extracts the facts of a segment into one file, several threads at once where it is large. */
export async function extractFacts(
  segment: SegmentEntry,
  { languages, paths }: Pick<SegmentDocuments, 'languages' | 'paths'>,
  deps: FactsExtractionDeps,
): Promise<FactsSummary> {
  const { writer } = deps;
  const parts = partsOf(segment, sizes).map(
    ({ first, end }): Part => ({
      first,
      end,
      languages: languages.slice(first, end),
      paths: paths.slice(first, end),
      file: writer.newFile('facts'),
    }),
  );
  const files = parts.map(({ file }) => file);
  try {
    const summaries = await eachPart(
      parts,
      (part, place, signal) => extractPart(segment, part, place, { ...deps, signal }),
      deps,
    );
    if (parts.length === 1) return summaries[0]!;
    const merged = await mergeParts(files, orderOfParts(parts), deps);
    for (const file of files) await writer.giveUp(file);
    return merged;
  } catch (error) {
    for (const file of files) {
      await writer.giveUp(`${file}.part`);
      await writer.giveUp(file);
    }
    throw error;
  }
}

/** The facts of a segment with those of some more of its blobs, which had none. */
export async function addFacts(
  segment: SegmentEntry,
  added: Pick<SegmentDocuments, 'languages' | 'paths'>,
  deps: FactsExtractionDeps,
): Promise<FactsSummary> {
  const { writer } = deps;
  const standing = path.join(writer.folder, segment.facts!.file);
  const more = (await extractFacts(segment, added, deps)).file;
  try {
    const order = new Uint32Array(segment.blobs * 2);
    added.languages.forEach((language, blob) => {
      order.set([language === UNNAMED_LANGUAGE ? 0 : 1, blob], blob * 2);
    });
    return await mergeParts([standing, more], order, deps);
  } finally {
    await writer.giveUp(more);
  }
}

/** Once more for each text that ends its thread, without that text. */
async function extractPart(
  segment: SegmentEntry,
  part: Part,
  place: number,
  deps: FactsExtractionDeps,
): Promise<FactsSummary> {
  const skips = new Map<number, FactsSkip>();
  for (let ends = 0; ; ) {
    const job = ++jobs;
    try {
      return await deps.threads.use(deps.signal, (thread) =>
        extractWith(thread, segment, part, { ...deps, job, place, skips }),
      );
    } catch (error) {
      await deps.writer.giveUp(`${part.file}.part`);
      if (!(error instanceof ParserEnded)) throw error;
      if (error.job === job && error.blob >= 0) skips.set(error.blob, error.reason);
      else if (++ends > endsMax) throw error.cause ?? error;
    }
  }
}

async function extractWith(
  thread: FactsThread,
  segment: SegmentEntry,
  { first, languages, paths, file }: Part,
  deps: FactsExtractionDeps & { job: number; place: number; skips: ReadonlyMap<number, FactsSkip> },
): Promise<FactsSummary> {
  const { job, place, skips, writer, counters, signal, factsVersion } = deps;
  const inFolder = (name: string) => path.join(writer.folder, name);
  const dictionaries = segment.dictionaries === null ? null : inFolder(segment.dictionaries);
  await thread.ask<'begin'>({
    kind: 'begin',
    job,
    segment: inFolder(segment.file),
    dictionaries,
    file,
    factsVersion,
    first,
    languages,
    paths,
    skips,
  });
  try {
    for (let isDone = false; !isDone; ) {
      await deps.mayGoOn(place);
      if (signal.aborted || !deps.isWanted()) throw cancelled(signal.reason);
      const done = await thread.ask<'work'>({ kind: 'work', job, sliceMs });
      isDone = done.isDone;
      counters.factsExtracted += done.extracted;
      deps.read(done.textBytes);
    }
    return await thread.ask<'finish'>({ kind: 'finish', job });
  } catch (error) {
    if (!(error instanceof ParserEnded))
      await thread.ask<'discard'>({ kind: 'discard', job }).catch(() => {});
    throw error;
  }
}

async function mergeParts(
  inputs: readonly string[],
  order: Uint32Array,
  { writer, threads, signal }: FactsExtractionDeps,
): Promise<FactsSummary> {
  const file = writer.newFile('facts');
  try {
    return await threads.use(signal, (thread) => thread.ask<'merge'>({ kind: 'merge', inputs, order, file }));
  } catch (error) {
    await writer.giveUp(`${file}.part`);
    await writer.giveUp(file);
    throw error;
  }
}

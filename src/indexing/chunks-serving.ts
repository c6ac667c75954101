import {
  ChunksBuilder,
  ChunksReader,
  type ChunksSummary,
  type DictionarySet,
  FactsReader,
  mergeChunks,
  type OpenChunks,
  type OpenFacts,
  openChunks,
  openDictionaries,
  openFacts,
  openSegment,
  type SegmentReader,
} from '../search/index.ts';
import type { ChunksReplies, ChunksRequest } from './chunks-messages.ts';
import { UNNAMED_LANGUAGE } from './facts-messages.ts';

interface Job {
  builder: ChunksBuilder;
  segment: ReturnType<typeof openSegment>;
  facts: OpenFacts;
  standing: OpenChunks | null;
  first: number;
  end: number;
  next: number;
}

/** What a thread keeps of parser's records while it cuts: it goes from blob to blob and comes back to none. */
const recordBytes = 1 << 20;
const pageBytes = 2 << 20;

/** Reads texts and their facts, cuts chunks and writes them, some files side by side. */
export function createChunksServing(texts: SegmentReader) {
  const jobs = new Map<number, Job>();
  const factsReader = new FactsReader({ pageBytes, recordBytes });
  const reader = new ChunksReader({ pageBytes });

  return function answer(request: ChunksRequest): ChunksReplies[keyof ChunksReplies] {
    switch (request.kind) {
      case 'cut-begin':
        return begin(request);
      case 'cut-work':
        return work(jobs.get(request.job)!, request.sliceMs);
      case 'cut-finish': {
        const summary = jobs.get(request.job)!.builder.finish();
        end(request.job);
        return summary;
      }
      case 'cut-discard':
        jobs.get(request.job)?.builder.discard();
        end(request.job);
        return null;
      case 'cut-merge':
        return merge(request);
    }
  };

  function begin(request: Extract<ChunksRequest, { kind: 'cut-begin' }>): null {
    const { job, file, chunksVersion, first, end } = request;
    const sets = new Map<string, DictionarySet>();
    if (request.dictionaries !== null) {
      const set = openDictionaries(request.dictionaries);
      sets.set(set.hash, set);
    }
    const segment = openSegment(request.segment, sets);
    const facts = openFacts(request.facts);
    const standing = request.standing === null ? null : openChunks(request.standing);
    const builder = new ChunksBuilder({ file, chunksVersion, blobs: end - first });
    jobs.set(job, { builder, segment, facts, standing, first, end, next: first });
    return null;
  }

  function merge(request: Extract<ChunksRequest, { kind: 'cut-merge' }>): ChunksSummary {
    const { inputs, standing, file } = request;
    if (standing === null) return mergeChunkFiles(request);
    const order = request.order.slice();
    const before = openChunks(standing);
    for (let blob = 0; blob < before.blobs; blob++)
      if (reader.skipped(before, blob) !== 'unnamed') order.set([inputs.length, blob], blob * 2);
    before.close();
    return mergeChunkFiles({ inputs: [...inputs, standing], order, file });
  }

  function end(number: number): void {
    const job = jobs.get(number);
    job?.segment.close();
    job?.facts.close();
    job?.standing?.close();
    jobs.delete(number);
  }

  function work(job: Job, sliceMs: number): ChunksReplies['cut-work'] {
    const done = { isDone: false, cut: 0 };
    const untilMs = performance.now() + sliceMs;
    while (job.next < job.end) {
      if (add(job)) done.cut += 1;
      job.next += 1;
      if (performance.now() > untilMs) break;
    }
    done.isDone = job.next === job.end;
    return done;
  }

  /** Whether the text was cut. */
  function add({ builder, segment, facts, standing, first, next: blob }: Job): boolean {
    const isWanted = standing === null || reader.skipped(standing, blob) === 'unnamed';
    const skipped = factsReader.skipped(facts, blob);
    if (!isWanted || factsReader.language(facts, blob) === UNNAMED_LANGUAGE) {
      builder.addSkipped(blob - first, 'unnamed');
      return false;
    }
    if (skipped === 'machine-made') {
      builder.addSkipped(blob - first, skipped);
      return false;
    }
    builder.add(blob - first, texts.blobText(segment, blob), factsReader.symbolsOf(facts, blob));
    return true;
  }
}

/** The chunks of some files in one. Pairs: position in `inputs`, number of the blob in it. */
export function mergeChunkFiles({
  inputs,
  order,
  file,
}: {
  inputs: readonly string[];
  order: Uint32Array;
  file: string;
}): ChunksSummary {
  const open = inputs.map((input) => openChunks(input));
  try {
    return mergeChunks({ inputs: open, order: pairsOf(order), file, reader: new ChunksReader() });
  } finally {
    for (const input of open) input.close();
  }
}

function* pairsOf(order: Uint32Array) {
  for (let at = 0; at < order.length; at += 2) yield { input: order[at]!, blob: order[at + 1]! };
}

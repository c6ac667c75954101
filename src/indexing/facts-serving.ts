import type { MessagePort } from 'node:worker_threads';
import {
  type DictionarySet,
  damagedFileOf,
  FactsBuilder,
  type FactsOutcome,
  FactsReader,
  type FactsSkip,
  languageName,
  mergeFacts,
  openDictionaries,
  openFacts,
  openSegment,
  SegmentReader,
} from '../search/index.ts';
import type { ExtractionRequest, Extractor } from '../symbols/index.ts';
import { createChunksServing } from './chunks-serving.ts';
import { type FactsReplies, type FactsReply, type FactsRequest, UNNAMED_LANGUAGE } from './facts-messages.ts';

const ringBytes = 2 << 20;

interface Job {
  builder: FactsBuilder;
  segment: ReturnType<typeof openSegment>;
  first: number;
  languages: Uint16Array;
  paths: readonly string[];
  skips: ReadonlyMap<number, FactsSkip>;
  next: number;
}

/** Its memory is spoilt: every further text would fail in it. Ends the thread. */
class DeadParser extends Error {}

/**
 * Reads texts out of segments, extracts their facts and writes them, some files side by side. `at` says all the time which text it is
 * at, so that one that ends the thread is known.
 */
export function serveFacts(port: MessagePort, shared: SharedArrayBuffer, extractor: Extractor): void {
  const at = new Int32Array(shared);
  const reader = new SegmentReader({ ringBytes });
  const jobs = new Map<number, Job>();
  const answerChunks = createChunksServing(reader);
  const wasAlive = isAlive();

  port.on('message', (request: FactsRequest) => {
    let reply: FactsReply;
    try {
      reply = { ok: true, value: answer(request) };
    } catch (error) {
      if (error instanceof DeadParser) throw error;
      const { code, message } = error as { code?: unknown; message?: string };
      reply = {
        ok: false,
        fault: {
          code: typeof code === 'string' ? code : null,
          message: message ?? String(error),
          damagedFile: damagedFileOf(error),
        },
      };
    }
    port.postMessage(reply);
  });

  function answer(request: FactsRequest): FactsReplies[keyof FactsReplies] {
    switch (request.kind) {
      case 'begin':
        return begin(request);
      case 'work':
        return work(request.job, request.sliceMs);
      case 'finish': {
        const summary = jobs.get(request.job)!.builder.finish();
        end(request.job);
        return summary;
      }
      case 'discard':
        jobs.get(request.job)?.builder.discard();
        end(request.job);
        return null;
      case 'merge':
        return merge(request);
      default:
        return answerChunks(request);
    }
  }

  function begin(request: Extract<FactsRequest, { kind: 'begin' }>): null {
    const { job, file, factsVersion, first, languages, paths, skips } = request;
    const sets = new Map<string, DictionarySet>();
    if (request.dictionaries !== null) {
      const set = openDictionaries(request.dictionaries);
      sets.set(set.hash, set);
    }
    const segment = openSegment(request.segment, sets);
    const builder = new FactsBuilder({ file, factsVersion, blobs: languages.length });
    jobs.set(job, { builder, segment, first, languages, paths, skips, next: 0 });
    return null;
  }

  function end(job: number): void {
    jobs.get(job)?.segment.close();
    jobs.delete(job);
  }

  function work(number: number, sliceMs: number): FactsReplies['work'] {
    const job = jobs.get(number)!;
    const done = { isDone: false, extracted: 0, textBytes: 0 };
    const untilMs = performance.now() + sliceMs;
    while (job.next < job.languages.length) {
      add(number, job, done);
      job.next += 1;
      if (performance.now() > untilMs) break;
    }
    Atomics.store(at, 1, -1);
    done.isDone = job.next === job.languages.length;
    return done;
  }

  function add(
    number: number,
    { builder, segment, first, languages, paths, skips, next }: Job,
    done: { extracted: number; textBytes: number },
  ): void {
    const blob = first + next;
    const language = languages[next]!;
    const skip = skips.get(blob);
    if (skip !== undefined || language === UNNAMED_LANGUAGE) {
      builder.addSkipped(next, language, skip ?? 'no-language');
      return;
    }
    const text = reader.blobText(segment, blob);
    done.textBytes += text.length;
    Atomics.store(at, 0, number);
    Atomics.add(at, 2, 1);
    Atomics.store(at, 1, blob);
    const outcome = extract({ language: languageName(language) ?? '', path: paths[next]!, text });
    if ('skipped' in outcome && outcome.skipped === 'failed' && wasAlive && !isAlive()) {
      throw new DeadParser('the parser has ended');
    }
    builder.add(next, language, outcome);
    if (!('skipped' in outcome && outcome.skipped === 'no-language')) done.extracted += 1;
  }

  function extract(request: ExtractionRequest): FactsOutcome {
    try {
      return extractor.extract(request);
    } catch (cause) {
      throw new DeadParser('the parser has failed', { cause });
    }
  }

  function isAlive(): boolean {
    const text = Buffer.from('export const alive = 1;\n');
    const outcome = extract({ language: 'TypeScript', path: 'alive.ts', text });
    return 'facts' in outcome && outcome.facts.symbols.length > 0;
  }

  function merge({ inputs, order, file }: Extract<FactsRequest, { kind: 'merge' }>): FactsReplies['merge'] {
    const open = inputs.map((input) => openFacts(input));
    try {
      return mergeFacts({ inputs: open, order: pairsOf(order), file, reader: new FactsReader() });
    } finally {
      for (const input of open) input.close();
    }
  }
}

function* pairsOf(order: Uint32Array) {
  for (let place = 0; place < order.length; place += 2)
    yield { input: order[place]!, blob: order[place + 1]! };
}

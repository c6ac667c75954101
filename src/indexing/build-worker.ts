/** A thread that decodes, masks and builds segments, one request after the other. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { parentPort } from 'node:worker_threads';
import { decodeBlob } from '../content/index.ts';
import {
  type DictionarySample,
  type DictionarySet,
  damagedFileOf,
  FactsReader,
  type FactsSummary,
  languageOf,
  mergeFacts,
  mergeSegments,
  openDictionaries,
  openFacts,
  openSegment,
  SegmentBuilder,
  SegmentReader,
  trainDictionaries,
  writeDictionaries,
} from '../search/index.ts';
import { createSecretScanner } from '../secrets/index.ts';
import type { BuildItem, BuildReplies, BuildReply, BuildRequest, TextOutcome } from './build-messages.ts';
import { mergeChunkFiles } from './chunks-serving.ts';

const scanner = createSecretScanner();
const mergeRingBytes = 4 << 20;
let builder: SegmentBuilder | null = null;
let reader: SegmentReader | null = null;
let isBuilding = false;
let samples: DictionarySample[] = [];

if (parentPort === null) throw new Error('build-worker runs as a thread');
const port = parentPort;
port.on('message', (request: BuildRequest) => {
  let reply: BuildReply;
  try {
    reply = { ok: true, value: answer(request) };
  } catch (error) {
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
  port.postMessage(reply, transferOf(request));
});

function transferOf(request: BuildRequest): ArrayBuffer[] {
  return request.kind === 'texts' || request.kind === 'samples' ? [request.buffer] : [];
}

function answer(request: BuildRequest): BuildReplies[keyof BuildReplies] {
  switch (request.kind) {
    case 'begin': {
      const { file, dictionaries, trigramsMax } = request;
      if (builder === null) builder = new SegmentBuilder({ file, dictionaries, trigramsMax });
      else builder.restart({ file, dictionaries, trigramsMax });
      isBuilding = true;
      return null;
    }
    case 'texts': {
      const outcomes = request.items.map((item) => addText(request.buffer, item));
      const { textBytes, memoryBytes } = builder!;
      return { buffer: request.buffer, outcomes, textBytes, memoryBytes };
    }
    case 'finish':
      return finish();
    case 'discard':
      if (isBuilding) builder?.discard();
      isBuilding = false;
      return null;
    case 'samples':
      for (const item of request.items) addSample(request.buffer, item);
      return { buffer: request.buffer };
    case 'train':
      return train(request.folder);
    case 'merge':
      return merge(request);
  }
}

/** A segment without any text is none. */
function finish(): BuildReplies['finish'] {
  isBuilding = false;
  if (builder!.blobs > 0) return builder!.finish();
  builder!.discard();
  return null;
}

function addText(buffer: ArrayBuffer, item: BuildItem): TextOutcome {
  const bytes = Buffer.from(buffer, item.offset, item.length);
  const nothing = { maskedSpans: 0, interpreter: 0 };
  if (item.verify && idOf(bytes, item.oid.length) !== item.oid) return { skipped: 'unreadable', ...nothing };
  if (item.blobId === 0) return { skipped: null, ...nothing };
  const decoded = decodeBlob(bytes, scanner);
  if (decoded.kind !== 'text') return { skipped: decoded.kind, ...nothing };
  const { text, maskedSpans } = decoded;
  const { blobId, oid, group } = item;
  const interpreter = interpreterOf(text);
  if (builder!.add({ blobId, oid, text, group }) === 'added')
    return { skipped: null, maskedSpans, interpreter };
  return { skipped: 'too-many-trigrams', maskedSpans: 0, interpreter };
}

/** As git makes it: of the type, the length and the content. */
function idOf(bytes: Buffer, digits: number): string {
  return createHash(digits === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');
}

const firstLineBytesMax = 256;

function interpreterOf(text: Buffer): number {
  if (text[0] !== 0x23 || text[1] !== 0x21) return 0;
  const start = text.subarray(0, firstLineBytesMax);
  const lineEnd = start.indexOf(10);
  return languageOf('', start.toString('utf8', 0, lineEnd < 0 ? start.length : lineEnd));
}

function addSample(buffer: ArrayBuffer, { offset, length, group }: BuildItem): void {
  // A copy: the buffer goes back.
  const bytes = Buffer.from(Buffer.from(buffer, offset, length));
  const decoded = decodeBlob(bytes, scanner);
  if (decoded.kind === 'text') samples.push({ group, text: decoded.text });
}

function train(folder: string): BuildReplies['train'] {
  const given = samples;
  samples = [];
  if (given.length === 0) return null;
  const set = trainDictionaries(given);
  return { name: writeDictionaries(folder, set), set };
}

function merge(request: Extract<BuildRequest, { kind: 'merge' }>): BuildReplies['merge'] {
  const sets = new Map<string, DictionarySet>();
  const open = (name: string) => {
    const set = openDictionaries(path.join(request.folder, name));
    sets.set(set.hash, set);
    return set;
  };
  for (const name of request.inputDictionaries) open(name);
  const dictionaries = request.dictionaries === null ? null : open(request.dictionaries);
  const inputs = request.inputs.map((file) => openSegment(file, sets));
  try {
    reader ??= new SegmentReader({ ringBytes: mergeRingBytes });
    if (builder === null) {
      builder = new SegmentBuilder({ file: request.file, dictionaries });
      builder.discard();
    }
    const { order, file } = request;
    const segment = mergeSegments({ inputs, order: pairsOf(order), file, dictionaries, builder, reader });
    return {
      segment,
      facts: request.facts === null ? null : mergeFactsOf(request.facts, order),
      chunks: request.chunks === null ? null : mergeChunkFiles({ ...request.chunks, order }),
    };
  } finally {
    for (const input of inputs) input.close();
  }
}

function mergeFactsOf(
  { inputs, file }: { inputs: readonly string[]; file: string },
  order: Uint32Array,
): FactsSummary {
  const open = inputs.map((input) => openFacts(input));
  try {
    return mergeFacts({ inputs: open, order: pairsOf(order), file, reader: new FactsReader() });
  } finally {
    for (const input of open) input.close();
  }
}

function* pairsOf(order: Uint32Array) {
  for (let at = 0; at < order.length; at += 2) yield { input: order[at]!, blob: order[at + 1]! };
}

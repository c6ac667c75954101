/**
 * What a facts file costs and how fast it answers, over facts that are made up: names of words, as frequent as names in code are
 * (Zipf), in neighbourhoods of files that share their own. BENCH_MEGABYTES: the text that they stand for (default 128). Times are CPU.
 * Needs `npm run build` first: node --expose-gc bench/symbols/facts-file.mjs
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { built } from '../support/built.mjs';

const { attachFacts, FactsBuilder, FactsReader, mergeFacts, openFacts } = await built('search');

const textBytes = Number(process.env['BENCH_MEGABYTES'] ?? 128) * 1e6;
/** As in our own corpus: a definition in 320 bytes, a reference in 64, an import in 1000. */
const FILE_BYTES = 8500;
const files = Math.ceil(textBytes / FILE_BYTES);
const random = seeded(7);
const words =
  'get set is has with add remove find load store read write parse format build create make open close start stop run handle process check update merge split name value key index list map node tree path file text line token user group role service client server request response header body config option state context event error result buffer stream reader writer factory builder provider manager handler listener adapter visitor iterator cache queue pool thread task job lock session'.split(
    ' ',
  );
const folder = mkdtempSync(path.join(tmpdir(), 'facts-bench-'));
try {
  measure();
} finally {
  rmSync(folder, { recursive: true });
}

function measure() {
  const file = path.join(folder, 'a.facts');
  global.gc?.();
  const before = process.memoryUsage().rss;
  const builder = new FactsBuilder({ file, factsVersion: 'bench', blobs: files });
  let making = 0;
  const all = cpuMs(() => {
    for (let blob = 0; blob < files; blob++) {
      let facts;
      making += cpuMs(() => {
        facts = madeUp(blob);
      });
      builder.add(blob, 1, { facts });
    }
  });
  const gathered = builder.bytesUsed;
  let summary;
  const finishing = cpuMs(() => {
    summary = builder.finish();
  });
  const grown = process.memoryUsage().rss - before;
  console.log(
    `${(textBytes / 1e6).toFixed(0)} MB of text in ${files} files: ${summary.symbols} symbols, ${summary.references} references, ${summary.imports} imports, ${summary.definedNames} names`,
  );
  console.log(
    `build ${((all - making) / 1e3).toFixed(2)} s and ${(finishing / 1e3).toFixed(2)} s, gathered ${mega(gathered)} MB, process grew by ${mega(grown)} MB`,
  );
  for (const [section, bytes] of Object.entries(summary.sectionBytes)) {
    console.log(`  ${section.padEnd(14)} ${mega(bytes).padStart(7)} MB  ${(bytes / textBytes).toFixed(4)}`);
  }
  console.log(
    `  ${'all'.padEnd(14)} ${mega(summary.fileBytes).padStart(7)} MB  ${(summary.fileBytes / textBytes).toFixed(4)} of the text`,
  );

  const facts = openFacts(file);
  each('open', 20, () => openFacts(file).close());
  each('attach', 20, () => attachFacts(facts.handle).close());
  const reader = new FactsReader();
  const names = Array.from({ length: 2000 }, () => nameOf(zipf(200_000)));
  each('exact name, found or not', names.length, (i) => reader.lookup(facts, names[i]));
  each('by prefix, 50 names', 500, (i) => reader.namesWithPrefix(facts, names[i].slice(0, 5), { limit: 50 }));
  each('by part, 50 names', 500, (i) => reader.namesContaining(facts, names[i].slice(2, 8), { limit: 50 }));
  each('by part that is nowhere', 500, (i) =>
    reader.namesContaining(facts, `${names[i].slice(-5)}zq`, { limit: 50 }),
  );
  const commonest = reader.lookup(facts, nameOf(0));
  each(`uses of the commonest name, ${commonest.uses} blobs`, 200, () => reader.usesOf(facts, commonest));
  each('definitions of a name', names.length, (i) => reader.definitionsOf(facts, names[i]));
  const { blobs } = reader.usesOf(facts, commonest);
  each('its places in a blob', Math.min(blobs.length, 5000), (i) =>
    reader.usesIn(facts, blobs[i], commonest),
  );
  each('all facts of a blob', Math.min(files, 5000), (i) => reader.file(facts, (i * 7919) % files));
  each('symbols of a blob', Math.min(files, 5000), (i) => reader.symbolsOf(facts, (i * 7919) % files));
  const order = Array.from({ length: files }, (_, blob) => ({ input: blob & 1, blob }));
  const merging = cpuMs(() =>
    mergeFacts({ inputs: [facts, facts], order, file: path.join(folder, 'b.facts'), reader }),
  );
  console.log(`merge ${(merging / 1e3).toFixed(2)} s`);
  facts.close();
}

function each(what, times, run) {
  const first = cpuMs(() => {
    for (let i = 0; i < times; i++) run(i);
  });
  const again = cpuMs(() => {
    for (let i = 0; i < times; i++) run(i);
  });
  const shown = (ms) => `${((ms * 1000) / times).toFixed(1).padStart(8)} µs`;
  console.log(`  ${what.padEnd(48)} ${shown(first)}, again ${shown(again)}`);
}

function madeUp(file) {
  const neighbourhood = Math.floor(file / 15);
  const named = [];
  // Half of what a text names it has named before.
  const name = () => {
    if (named.length > 0 && random() < 0.5) return named[Math.floor(random() ** 2 * named.length)];
    const own = 200_000 + neighbourhood * 90 + Math.floor(random() ** 2 * 90);
    named.push(nameOf(random() < 0.45 ? own : zipf(200_000)));
    return named.at(-1);
  };
  const symbols = [];
  let at = 400;
  let line = 12;
  for (let i = 0; i < 26; i++) {
    const defined = name();
    const length = 60 + Math.floor(random() * 500);
    const lines = Math.ceil(length / 38);
    const documented = random() < 0.3;
    symbols.push({
      name: defined,
      kind: random() < 0.6 ? 'method' : random() < 0.6 ? 'field' : 'class',
      nameStart: at + 14,
      nameEnd: at + 14 + defined.length,
      start: at,
      end: at + length,
      signatureStart: at,
      signatureEnd: Math.min(at + length, at + 40 + defined.length),
      docStart: documented ? at - 160 : -1,
      docEnd: documented ? at - 3 : -1,
      nameLine: line,
      startLine: line,
      endLine: line + lines,
      parent: i === 0 ? -1 : 0,
      exported: random() < 0.6,
      type: random() < 0.4 ? name() : null,
    });
    at += 310;
    line += 8;
  }
  const kinds = ['member-call', 'call', 'type', 'member', 'use', 'new'];
  const references = Array.from({ length: 133 }, (_, i) => {
    const kind = kinds[Math.floor(random() ** 2 * kinds.length)];
    const start = 400 + i * 61 + Math.floor(random() * 40);
    const receiver = kind.startsWith('member') ? (random() < 0.3 ? 'this' : name()) : null;
    return {
      name: name(),
      kind,
      start,
      line: Math.floor(start / 38),
      from: Math.floor(i / 5.2),
      receiver,
      receiverType: receiver !== null && random() < 0.3 ? name() : null,
    };
  });
  const imports = Array.from({ length: 8 }, (_, i) => {
    const module = zipf(20_000);
    const imported = nameOf(module * 3);
    return {
      module: `org.${words[module % words.length]}.${nameOf(module)}`,
      name: imported,
      local: imported,
      reexport: false,
      relative: false,
      start: 60 + i * 40,
      line: 3 + i,
    };
  });
  return { symbols, references, imports, namespace: `org.${nameOf(neighbourhood)}`, packageFile: null };
}

/** A name of two to four words, the same for the same number. */
function nameOf(number) {
  let rest = Math.imul(number + 1, 0x9e3779b1) >>> 0;
  const parts = [];
  for (let i = 0; i < 2 + (rest % 3); i++) {
    const word = words[rest % words.length];
    parts.push(i === 0 ? word : word[0].toUpperCase() + word.slice(1));
    rest = Math.imul(rest ^ (rest >>> 15), 0x85ebca6b) >>> 0;
  }
  return number < 30_000 ? parts.join('') : `${parts.join('')}${number % 97}`;
}

/** The rank of a name: the first is as frequent as the second and third together. */
function zipf(ranks) {
  return Math.min(ranks - 1, Math.floor(Math.exp(random() * Math.log(ranks)) - 1));
}

function cpuMs(run) {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function mega(bytes) {
  return (bytes / 1e6).toFixed(2);
}

function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

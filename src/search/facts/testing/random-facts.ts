import type { SeededRandom } from '../../../base/testing/seeded-random.ts';
import {
  type DependencyFact,
  type FactsOutcome,
  type FileFacts,
  factsSkips,
  type ImportFact,
  type PackageFact,
  type ReferenceFact,
  referenceKinds,
  type SymbolFact,
  symbolKinds,
} from '../types.ts';

const plainNames = [
  'get',
  'String',
  'handle',
  'x',
  'HttpClient',
  'httpClient',
  'HTTP',
  'toString',
  'λ',
  '日本',
  'Äpfel',
];
const oddNames = ['', ' ', 'a\nb', 'tab\tnul\0', '😀', '\u{10ffff}', '\uffff', '"quoted"', '*', 'default'];
const modules = [
  'react',
  './a',
  '../b/c',
  '@scope/name/sub',
  'github.com/x/y',
  'java.util',
  'stdio.h',
  '日本',
];

/** Facts as an extractor might give them, and now and then as none would. */
export function randomOutcome(random: SeededRandom, size = 12): FactsOutcome {
  if (random.below(8) === 0) return { skipped: random.pick(factsSkips) };
  return { facts: randomFacts(random, size) };
}

export function randomFacts(random: SeededRandom, size: number): FileFacts {
  const symbols: SymbolFact[] = [];
  const symbolCount = random.below(size);
  for (let i = 0; i < symbolCount; i++) symbols.push(randomSymbol(random, i, symbols[i - 1]));
  const references = Array.from({ length: random.below(size * 4) }, () =>
    randomReference(random, symbolCount),
  );
  if (random.below(6) > 0) references.sort((a, b) => a.start - b.start);
  return {
    symbols,
    references,
    imports: Array.from({ length: random.below(5) }, () => randomImport(random)),
    namespace: random.below(3) === 0 ? `${randomName(random)}.${randomName(random)}` : null,
    packageFile: random.below(9) === 0 ? randomPackage(random) : null,
  };
}

export function randomName(random: SeededRandom): string {
  const kind = random.below(20);
  if (kind === 0) return random.pick(oddNames);
  if (kind < 9) return random.pick(plainNames);
  // Few of them are common.
  return `${random.pick(['get', 'set', 'Is', 'with'])}${random.pick(['Name', 'User', '_id'])}${Math.floor(
    random.next() ** 3 * 300,
  )}`;
}

function randomSymbol(random: SeededRandom, number: number, before: SymbolFact | undefined): SymbolFact {
  const start = random.below(20) === 0 ? random.below(100_000) : (before?.start ?? 0) + random.below(300);
  const nameStart = start + random.below(30);
  const name = randomName(random);
  const nameEnd = nameStart + (random.below(9) === 0 ? random.below(9) : Buffer.byteLength(name));
  const end = nameEnd + random.below(2000);
  const startLine = (before?.startLine ?? 1) + random.below(10);
  const documented = random.below(3) === 0;
  const docEnd = documented ? Math.max(0, start - 1 - random.below(3)) : -1;
  return {
    name,
    kind: random.pick(symbolKinds),
    nameStart,
    nameEnd,
    start,
    end,
    signatureStart: random.below(3) === 0 ? Math.max(0, start - random.below(9)) : start,
    signatureEnd: random.below(3) === 0 ? end : nameEnd + random.below(200),
    docStart: documented ? Math.max(0, docEnd - random.below(400)) : -1,
    docEnd,
    nameLine: startLine + (random.below(4) === 0 ? random.below(4) : 0),
    startLine,
    endLine: startLine + (random.below(2) === 0 ? random.below(300) : 0),
    parent: random.below(3) === 0 ? random.below(number + 1) - 1 : (before?.parent ?? -1),
    exported: random.below(2) === 0,
    type: random.below(4) === 0 ? randomName(random) : null,
  };
}

function randomReference(random: SeededRandom, symbols: number): ReferenceFact {
  const start = random.below(random.below(9) === 0 ? 2 ** 31 : 100_000);
  return {
    name: randomName(random),
    kind: random.pick(referenceKinds),
    start,
    line: 1 + Math.floor(start / 30),
    from: random.below(4) === 0 ? -1 : random.below(symbols + 1) - 1,
    receiver: random.below(2) === 0 ? random.pick(['this', 'self', 'fs.promises', randomName(random)]) : null,
    receiverType: random.below(4) === 0 ? randomName(random) : null,
  };
}

function randomImport(random: SeededRandom): ImportFact {
  const name = random.below(4) === 0 ? random.pick(['*', 'default', '']) : randomName(random);
  const start = random.below(5000);
  return {
    module: random.below(3) === 0 ? `${random.pick(modules)}/${random.below(40)}` : random.pick(modules),
    name,
    local: random.pick([name, name, '', randomName(random)]),
    reexport: random.below(4) === 0,
    relative: random.below(3) === 0,
    start,
    line: 1 + random.below(90),
  };
}

function randomPackage(random: SeededRandom): PackageFact {
  const dependencies = Array.from(
    { length: random.below(5) },
    (): DependencyFact => ({
      name: random.pick(modules),
      version: random.pick(['', '^1.2.3', 'workspace:*']),
      scope: random.pick(['run', 'dev', 'peer']),
      line: random.below(90),
    }),
  );
  return {
    ecosystem: random.pick(['npm', 'go', 'cargo']),
    name: random.below(3) === 0 ? null : random.pick(modules),
    version: random.below(2) === 0 ? null : '1.0.0',
    dependencies,
    extra: random.below(2) === 0 ? null : '{"main":"a.js"}',
  };
}

import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleForNode } from '../../base/testing/run-typescript.ts';
import type { FactsOutcome } from '../../search/index.ts';
import { languageDefinitions } from '../languages/language-list.ts';
import type { ExtractorReply } from '../testing/extractor-thread.ts';
import { createExtractor, type ExtractionRequest, type Extractor } from './create-extractor.ts';

/** Of all outcomes these are the ones that a text can bring about; a `failed` would be a fault of ours. */
const foreseen = new Set(['facts', 'too-large', 'too-slow', 'machine-made']);

/** Brackets that stay open, and operators of which each may bind in two ways. */
const neverEnding = [
  '(',
  '[',
  '{',
  '<',
  '((){[',
  'a(',
  'f({x:[',
  '{a:',
  '%w(',
  '"',
  '/*',
  '`${',
  'x => ',
  '<a',
  'a<',
];

describe('no text breaks the extractor', () => {
  let extractor: Extractor;
  let thread: ExtractorThread;
  beforeAll(async () => {
    extractor = await createExtractor({ deadlineMs: 300 });
    thread = new ExtractorThread(
      await bundleForNode(path.join(import.meta.dirname, '../testing/extractor-thread.ts')),
    );
  });
  afterAll(async () => {
    extractor.close();
    await thread.close();
  });

  it('10 MB minified are too large, and 500 kB are machine-made', () => {
    const minified = Buffer.from('var a=function(b){return b+1};'.repeat(340_000));
    const request = { language: 'JavaScript', path: 'a.js' };
    expect(extractor.extract({ ...request, text: minified })).toEqual({ skipped: 'too-large' });
    expect(extractor.extract({ ...request, text: minified.subarray(0, 500_000) })).toEqual({
      skipped: 'machine-made',
    });
  });

  it('skips what takes too long', async () => {
    const hasty = await createExtractor({ languages: ['TypeScript'], deadlineMs: -1 });
    const text = Buffer.from('const a = [1, 2, 3];\n'.repeat(20_000));
    expect(hasty.extract({ language: 'TypeScript', path: 'a.ts', text })).toEqual({ skipped: 'too-slow' });
    hasty.close();
  });

  const languages = [...languageDefinitions].map(([folder, { language }]) => ({ folder, language }));

  for (const { folder, language } of languages) {
    it(`${folder}: random bytes, cut and mixed files`, async () => {
      const random = seededRandom(7);
      const golden = goldenOf(folder);
      const texts: Uint8Array[] = [
        new Uint8Array(0),
        Uint8Array.from({ length: 20_000 }, () => random(256)),
        Uint8Array.from({ length: 20_000 }, () => 32 + random(95)),
      ];
      for (const text of golden) {
        for (let times = 0; times < 4; times++) {
          const at = random(text.length);
          texts.push(text.subarray(0, at), text.subarray(at));
          const other = golden[random(golden.length)]!;
          texts.push(Buffer.concat([text.subarray(0, at), other.subarray(random(other.length))]));
          const spoiled = Uint8Array.from(text);
          for (let spoils = 0; spoils < 20; spoils++) spoiled[random(spoiled.length)] = random(256);
          texts.push(spoiled);
        }
      }
      for (const text of texts) {
        const outcome = await thread.extract({
          language,
          path: `a${folder === 'tsx' ? '.tsx' : ''}`,
          text,
        });
        expect(foreseen).toContain(nameOf(outcome));
        checkFacts(outcome, text.length);
      }
    });

    it(`${folder}: brackets and operators that never end`, async () => {
      for (const part of neverEnding) {
        const text = Buffer.from(part.repeat(Math.ceil(10_000 / part.length)).replace(/(.{400})/g, '$1\n'));
        const outcome = await thread.extract({ language, path: 'a', text });
        expect(foreseen).toContain(nameOf(outcome));
        checkFacts(outcome, text.length);
      }
      const ordinary = goldenOf(folder)[0] ?? Buffer.from('');
      expect(nameOf(await thread.extract({ language, path: 'a', text: ordinary }))).not.toBe('failed');
    });
  }

  it('skips a million nested brackets unparsed, as machine-made', () => {
    const nested = Buffer.from(`${'['.repeat(400)}\n`.repeat(2500));
    const request = { language: 'Python', path: 'a.py' };
    expect(extractor.extract({ ...request, text: nested })).toEqual({ skipped: 'machine-made' });
    const closed = Buffer.from('f([{}])\n'.repeat(2000));
    expect(nameOf(extractor.extract({ ...request, text: closed }))).toBe('facts');
  });
  it('goes on as before after all that', () => {
    const text = Buffer.from('export function f() {}\n');
    const outcome = extractor.extract({ language: 'TypeScript', path: 'a.ts', text });
    expect('facts' in outcome && outcome.facts.symbols.map(({ name }) => name)).toEqual(['f']);
  });
});

/**
 * An extractor in a thread that is replaced when a text has spoilt its parser, as whoever runs extractors does: how far a stopped parse
 * had come hangs on the clock, and operators without end are readings without number to some grammars.
 */
class ExtractorThread {
  private worker: Worker | null = null;
  private readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  async extract(request: ExtractionRequest): Promise<FactsOutcome> {
    this.worker ??= new Worker(this.file);
    const replied = once(this.worker, 'message');
    this.worker.postMessage(request);
    const [reply] = (await replied) as [ExtractorReply];
    if (!reply.isBroken) return reply.outcome;
    expect(reply.outcome).toEqual({ skipped: 'failed' });
    await this.close();
    return { skipped: 'too-slow' };
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
    this.worker = null;
  }
}

function nameOf(outcome: FactsOutcome): string {
  return 'facts' in outcome ? 'facts' : outcome.skipped;
}

/** What whoever stores facts relies on: places within the text, parents before children, names that are some. */
function checkFacts(outcome: FactsOutcome, size: number): void {
  if (!('facts' in outcome)) return;
  const { symbols, references, imports } = outcome.facts;
  symbols.forEach((symbol, number) => {
    expect(symbol.parent).toBeLessThan(number);
    expect(symbol.name).not.toBe('');
    expect(symbol.start <= symbol.end && symbol.end <= size).toBe(true);
    expect(symbol.nameStart <= symbol.nameEnd && symbol.nameEnd <= size).toBe(true);
    expect(symbol.signatureStart <= symbol.signatureEnd && symbol.signatureEnd <= size).toBe(true);
    expect(symbol.docStart <= symbol.docEnd).toBe(true);
  });
  for (const { from, start } of references) {
    expect(from).toBeLessThan(symbols.length);
    expect(start).toBeLessThanOrEqual(size);
  }
  for (const { start } of imports) expect(start).toBeLessThanOrEqual(size);
}

function goldenOf(folder: string): Buffer[] {
  const golden = path.join(import.meta.dirname, '../languages', folder, 'golden');
  if (!existsSync(golden)) return [];
  return readdirSync(golden)
    .filter((name) => name.endsWith('.txt'))
    .map((name) => readFileSync(path.join(golden, name)));
}

/** Park and Miller's: the same texts in each run. */
function seededRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

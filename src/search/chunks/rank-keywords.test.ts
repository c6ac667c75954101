import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SeededRandom } from '../../base/testing/seeded-random.ts';
import type { KeywordGround } from './keyword-types.ts';
import { keywordWeights } from './keyword-weights.ts';
import { createKeywordRanking } from './rank-keywords.ts';
import { naiveScores } from './testing/naive-ranking.ts';
import { type CorpusDocument, corpusOf } from './testing/ranked-corpus.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'periscope-keywords-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let corpora = 0;
const corpus = (documents: readonly CorpusDocument[], options?: Parameters<typeof corpusOf>[2]) =>
  corpusOf(path.join(folder, String(++corpora)), documents, options);

const ranking = createKeywordRanking();
const withoutPaths = { ...keywordWeights, path: { ...keywordWeights.path, weight: 0 } };
const stems =
  'parse read write config header token cache index merge query result error stream buffer user group'.split(
    ' ',
  );

function randomDocument(random: SeededRandom, repository: number, number: number): CorpusDocument {
  const word = () => stems[Math.min(random.below(stems.length), random.below(stems.length))]!;
  const definitions = Array.from({ length: 1 + random.below(4) }, () => {
    const name = `${word()}_${word()}`;
    const lines = Array.from({ length: 1 + random.below(12) }, () => `  ${word()}(${word()}, ${word()});`);
    const comment = random.below(3) === 0 ? `# ${word()} the ${word()} of ${word()}\n` : '';
    return `${comment}def ${name}(${word()})\n${lines.join('\n')}`;
  });
  return {
    repository,
    path: `src/${word()}/${word()}-${number}.py`,
    text: `import ${word()}, ${word()}, ${word()}\n\n${definitions.join('\n\n')}\n`,
  };
}

const documentsOf = (random: SeededRandom, repository: number, count: number) =>
  Array.from({ length: count }, (_, number) => randomDocument(random, repository, number));

/** What is found, without the numbers of segments and chunks, which are no part of an answer. */
function told(question: string, ground: KeywordGround, limit = 1000, weights = keywordWeights) {
  const { hits, words, coverage, scored } = ranking.rank({ text: question, limit, weights }, ground);
  return {
    hits: hits.map(({ segment: _s, chunk: _c, blob: _b, ...hit }) => hit),
    words,
    coverage,
    scored,
  };
}

describe('the ranking is BM25F, whatever lies in which segment', () => {
  it.each([1, 2, 3, 4, 5, 6])('seed %i', async (seed) => {
    const random = new SeededRandom(seed);
    const documents = [...documentsOf(random, 1, 30), ...documentsOf(random, 2, 30)];
    documents.push({ ...documents[3]!, repository: 2, path: 'copy.py' });
    const texts = [...new Set(documents.map(({ text }) => text))];
    const { ground, close } = await corpus(documents, { segmentOf: (text) => text % 3 });
    const open = ground([1, 2]);
    for (let round = 0; round < 20; round++) {
      const question = Array.from({ length: 1 + random.below(8) }, () => random.pick(stems)).join(' ');
      const { hits } = ranking.rank({ text: question, limit: 5000, weights: withoutPaths }, open);
      const found = hits.map(({ segment, blob, part, textScore }): [string, number] => {
        const text = texts.filter((_, i) => i % 3 === segment)[blob]!;
        return [`${part} ${text}`, textScore];
      });
      const naive = naiveScores(question, documents, withoutPaths);
      expect(new Set(found.map(([key]) => key))).toEqual(new Set(naive.keys()));
      for (const [key, score] of found) expect(score).toBeCloseTo(naive.get(key)!, 9);
      const best = ranking.rank({ text: question, limit: 10, weights: withoutPaths }, open).hits;
      expect(best).toEqual(hits.slice(0, 10));
    }
    close();
  });
});

describe('common words', () => {
  it('bring in nothing that cannot win, and the best are the best all the same', async () => {
    const random = new SeededRandom(21);
    const documents = documentsOf(random, 1, 300);
    const { ground, close } = await corpus(documents, { segmentOf: (text) => text % 2 });
    const open = ground([1]);
    let left = 0;
    for (let round = 0; round < 10; round++) {
      const question = Array.from({ length: 10 }, () => random.pick(stems)).join(' ');
      const asked = { text: question, limit: 20, weights: withoutPaths };
      const { hits, scored } = ranking.rank(asked, open);
      const naive = [...naiveScores(question, documents, withoutPaths).values()].sort((a, b) => b - a);
      left += naive.length - scored;
      for (const [i, { textScore }] of hits.entries()) expect(textScore).toBeCloseTo(naive[i]!, 9);
      // A filter that lets all through changes how it is done, and nothing else.
      const filtered = ranking.rank({ ...asked, filter: { document: () => true } }, open);
      expect(filtered.hits).toEqual(hits);
    }
    expect(left).toBeGreaterThan(0);
    close();
  });
});

describe('nothing hidden plays a part', () => {
  it.each([11, 12, 13])('not a digit changes with a hidden repository, seed %i', async (seed) => {
    const random = new SeededRandom(seed);
    const visible = [...documentsOf(random, 1, 25), ...documentsOf(random, 3, 25)];
    const hidden = documentsOf(random, 2, 60);
    // It shares texts with those that may be seen, under paths that would be found.
    for (const { text } of visible.slice(0, 10))
      hidden.push({ repository: 2, path: `parse/cache/${hidden.length}.py`, text });
    const alone = await corpus(visible, { segmentOf: (text) => text % 2 });
    const beside = await corpus([...hidden, ...visible], { segmentOf: (text) => (text >> 1) % 3 });
    for (let round = 0; round < 25; round++) {
      const question = Array.from({ length: 1 + random.below(8) }, () => random.pick(stems)).join(' ');
      expect(told(question, beside.ground([1, 3]))).toEqual(told(question, alone.ground([1, 3])));
    }
    alone.close();
    beside.close();
  });

  it('a word that hidden texts alone have is as one that nobody has', async () => {
    const { ground, close } = await corpus([
      { repository: 1, path: 'a.py', text: 'def known\n  call(known)\n' },
      { repository: 2, path: 'secretive.py', text: 'def secretive\n  call(secretive)\n' },
    ]);
    const open = ground([1]);
    expect(told('secretive', open)).toEqual({
      ...told('never', open),
      words: [{ word: 'secretiv', chunks: 0 }],
    });
    close();
  });
});

describe('names, paths and filters', () => {
  const documents: CorpusDocument[] = [
    {
      repository: 1,
      path: 'src/other.py',
      text: 'def run\n  header = parse(header) or header\n  parse(1)\n',
    },
    { repository: 1, path: 'src/one.py', text: 'def parseHeader\n  return split(line)\n' },
    { repository: 2, path: 'lib/breaker.py', text: 'def trip\n  return count(errors)\n', language: 7 },
    { repository: 2, path: 'lib/two.py', text: 'def trip\n  return count(failures)\n' },
  ];

  it('what is called so comes before what speaks of it', async () => {
    const { ground, close } = await corpus(documents);
    const { hits } = ranking.rank({ text: 'how are headers parsed', limit: 5 }, ground([1, 2]));
    expect(hits.map(({ document }) => document)).toEqual([1, 2]);
    expect(hits[0]).toMatchObject({ nameCoverage: 1, termCoverage: 1, nameWords: 2 });
    expect(hits[1]).toMatchObject({ nameCoverage: 0, termCoverage: 1 });
    close();
  });

  it('a file is found by its path, also where its text has no word of the question', async () => {
    const { ground, close } = await corpus(documents);
    const { hits } = ranking.rank({ text: 'circuit breaker', limit: 5 }, ground([1, 2]));
    expect(hits).toMatchObject([{ document: 3, textScore: 0, pathCoverage: 1, termCoverage: 0 }]);
    close();
  });

  it('what a filter refuses is no hit, and others come in its place', async () => {
    const { ground, close } = await corpus(documents);
    const open = ground([1, 2]);
    const document = (manifest: number, row: number) => open.manifests[manifest]!.languages[row] === 7;
    const asked = { text: 'trip count', limit: 1 };
    expect(ranking.rank({ ...asked, filter: { document } }, open).hits).toMatchObject([{ document: 3 }]);
    expect(ranking.rank({ ...asked, filter: { kinds: new Set(['class']) } }, open).hits).toEqual([]);
    expect(ranking.rank({ ...asked, filter: { kinds: new Set(['function']) } }, open).hits).toHaveLength(1);
    close();
  });

  it('the same text at several places is one hit, at the place whose path fits best', async () => {
    const text = 'def shared\n  total(sum)\n';
    const { ground, close } = await corpus([
      { repository: 1, path: 'a/first.py', text },
      { repository: 1, path: 'b/totals.py', text },
    ]);
    const { hits } = ranking.rank({ text: 'shared totals', limit: 5 }, ground([1]));
    expect(hits).toMatchObject([{ document: 2, pathCoverage: 1 }]);
    close();
  });
});

describe('work and gaps are told', () => {
  it('texts that are not cut yet are pending', async () => {
    const documents = documentsOf(new SeededRandom(5), 1, 6);
    const { ground, close } = await corpus(documents, { segmentOf: (text) => text % 2, pending: [1] });
    expect(ranking.coverage(ground([1]))).toMatchObject({ texts: 6, pendingTexts: 3 });
    close();
  });

  it('a word whose count is known is not read for counting again, and lists are read once each', async () => {
    const { ground, close } = await corpus(documentsOf(new SeededRandom(6), 1, 20));
    const open = ground([1]);
    const ask = () => ranking.rank({ text: 'parse header parse headers', limit: 5 }, open).counters;
    expect(ask().lists).toBe(2);
    expect(ask()).toMatchObject({ lists: 2, fileReads: 0, records: 0 });
    close();
  });

  it('after a push the changed manifest alone is gone through, and a new scope goes through none', async () => {
    const random = new SeededRandom(8);
    const [first, second] = [documentsOf(random, 1, 20), documentsOf(random, 2, 30)];
    const { ground, publish, close } = await corpus([...first, ...second]);
    const rowsRead = (visible: readonly number[]) =>
      ranking.rank({ text: 'parse header', limit: 5 }, ground(visible)).counters.pathRows;
    expect(rowsRead([1, 2])).toBe(50);
    expect(rowsRead([1, 2])).toBe(0);
    await publish(2, second.slice(1));
    expect(rowsRead([1, 2])).toBe(29);
    expect(rowsRead([2])).toBe(0);
    close();
  });

  it('a damaged file costs its own chunks, and is told', async () => {
    const documents = documentsOf(new SeededRandom(7), 1, 8);
    const place = path.join(folder, String(corpora + 1));
    const { ground, close } = await corpus(documents, { segmentOf: (text) => text % 2 });
    const whole = ground([1]);
    const file = path.join(place, '1.chunks');
    const fd = openSync(file, 'r+');
    writeSync(fd, Buffer.alloc(whole.segments[1]!.chunks!.head.bodyBytes, 0xff), 0, undefined, 256);
    closeSync(fd);
    const { hits, problems } = ranking.rank({ text: stems.join(' '), limit: 100 }, whole);
    expect(problems).toHaveLength(1);
    expect(new Set(hits.map(({ segment }) => segment))).toEqual(new Set([0]));
    close();
  });
});

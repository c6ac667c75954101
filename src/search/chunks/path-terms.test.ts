import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PathTermsOf, placesOf } from './path-terms.ts';
import { corpusOf } from './testing/ranked-corpus.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'periscope-path-terms-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let corpora = 0;

/** By word: paths that have it, with a `*` where it stands in the file's name. */
async function check(paths: readonly string[], words: Record<string, readonly string[]>) {
  const documents = paths.map((path) => ({ repository: 1, path, text: 'one text' }));
  const { ground, close } = await corpusOf(path.join(folder, String(++corpora)), documents);
  const manifest = ground([1]).manifests[0]!;
  const terms = new PathTermsOf().of(manifest);
  const found = Object.keys(words).map((word) => [
    word,
    [...placesOf(terms, word)].map((place) => `${manifest.path(place >>> 1)}${place & 1 ? '*' : ''}`),
  ]);
  expect(Object.fromEntries(found)).toEqual(words);
  expect(terms.words).toBe(terms.lengths.reduce((sum, length) => sum + length, 0));
  close();
}

describe('the words of paths', () => {
  it('are those of folders and of file names, without endings', () =>
    check(['src/circuitBreaker/breaker.test.ts', 'src/http_server.go', 'README', '.gitignore'], {
      circuit: ['src/circuitBreaker/breaker.test.ts'],
      breaker: ['src/circuitBreaker/breaker.test.ts*'],
      test: ['src/circuitBreaker/breaker.test.ts*'],
      src: ['src/circuitBreaker/breaker.test.ts', 'src/http_server.go'],
      server: ['src/http_server.go*'],
      gitignor: ['.gitignore*'],
      readm: ['README*'],
      ts: [],
      never: [],
    }));

  it('are stemmed, and of any script', () =>
    check(['docs/Überblick/Größen.md', 'parsing/queries.rs', 'doc/検索/索引.md', 'a/🙂name.md'], {
      uberblick: ['docs/Überblick/Größen.md'],
      doc: ['doc/検索/索引.md', 'docs/Überblick/Größen.md'],
      pars: ['parsing/queries.rs'],
      query: ['parsing/queries.rs*'],
      検索: ['doc/検索/索引.md'],
      索引: ['doc/検索/索引.md*'],
      nam: ['a/🙂name.md*'],
    }));

  it('are told apart however many there are', () => {
    const paths = Array.from({ length: 9000 }, (_, i) => `d${i % 7}/file${'abcdefghij'[i % 10]}x${i}.c`);
    return check(paths, {
      d3: paths.filter((_, i) => i % 7 === 3).sort(),
      filejx8999: ['d4/filejx8999.c*'],
    });
  });
});

import { describe, expect, it, test } from 'vitest';
import { TermScanner } from './term-scanner.ts';
import { stem, termsOfText } from './words.ts';

const check = (text: string, expected: string) =>
  test(JSON.stringify(text), () => {
    expect(termsOfText(text).join(' ')).toBe(expected);
  });

describe('words of a text', () => {
  check('parseHTTPHeader_v2(request)', 'pars http header v2 request');
  check('How are the configs being loaded?', 'config load');
  check('XMLHttpRequest', 'xml http request');
  check('sha256Hash utf8 k8s i18n', 'sha256 sha hash utf8 utf k8s i18n');
  check('x y 1 22 123456', '22');
  check('0xdeadbeef a3f9c0b14e77d2aa90', '');
  check('getUsers users user', 'get user user user');
  check('größeBerechnen Größe', 'große berechnen große');
  check('naïve café', 'naiv caf');
  check('東京の天気', '東京 京の の天 天気');
  check('Привет мир', 'привет мир');
  check(`${'q'.repeat(90)} end`, 'end');
});

test.each([
  ['classes', 'class'],
  ['caching', 'cach'],
  ['cache', 'cach'],
  ['running', 'run'],
  ['queries', 'query'],
  ['process', 'process'],
  ['added', 'add'],
  ['bus', 'bus'],
])('%s and %s are one word', (word, expected) => {
  expect(stem(word)).toBe(expected);
});

describe('words by their bytes', () => {
  it('are those of the text, however often they come', () => {
    const scanner = new TermScanner();
    const text = 'fn parse_header(värde: &str) -> Größe { self.parseHeader(värde) } // 東京 и мир\n';
    const bytes = Buffer.from(text.repeat(3));
    const found = scanner.scan(bytes, 0, bytes.length);
    const again = scanner.scan(bytes, 0, bytes.length);
    expect(again).toBe(found);
    const numbers = new Map<string, number>();
    const expected = termsOfText(text.repeat(3)).map((term) => {
      const number = numbers.get(term) ?? numbers.size;
      numbers.set(term, number);
      return number;
    });
    expect([...scanner.found.subarray(0, found)]).toEqual(expected);
  });
});

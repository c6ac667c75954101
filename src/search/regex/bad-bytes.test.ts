import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../base/testing/seeded-random.ts';
import { encodingBoundary, withoutBadBytes } from './bad-bytes.ts';
import { Kernels } from './kernels.ts';
import { randomLine } from './testing/random-patterns.ts';

describe('bytes that are no UTF-8 are replaced one by one', () => {
  check('61 62', '61 62');
  check('c3 a9', 'c3 a9');
  check('c3', 'ff');
  check('c3 61', 'ff 61');
  check('e6 97', 'ff ff');
  check('e6 97 a5', 'e6 97 a5');
  check('e0 80 80', 'ff ff ff');
  check('ed a0 80', 'ff ff ff');
  check('f0 9f 98 80 f0 9f', 'f0 9f 98 80 ff ff');
  check('f4 90 80 80', 'ff ff ff ff');
  check('fe ff c0 80', 'ff ff ff ff');

  function check(given: string, expected: string) {
    it(given, () => expect(shown(withoutBadBytes(bytesOf(given), 0, bytesOf(given).length))).toBe(expected));
  }
});

it('the compiled loop does the same', () => {
  const kernels = new Kernels();
  const random = new SeededRandom(1);
  for (let round = 0; round < 500; round++) {
    const line = Buffer.concat(Array.from({ length: 5 }, () => randomLine(random)));
    kernels.bytes.set(line, kernels.block);
    const end = kernels.block + line.length;
    kernels.run.hideBadBytes(kernels.block, end);
    expect(shown(kernels.bytes.subarray(kernels.block, end))).toBe(
      shown(withoutBadBytes(line, 0, line.length)),
    );
  }
});

it('a boundary tears no encoding', () => {
  const text = Buffer.from('aé日😀a');
  for (let at = 0; at < text.length; at++) {
    const boundary = encodingBoundary(text, at);
    expect([0, 1, 3, 6, 10, 11]).toContain(boundary);
    expect(at - boundary).toBeLessThanOrEqual(3);
  }
  expect(encodingBoundary(Buffer.alloc(20, 0x80), 10)).toBe(10);
});

function bytesOf(hex: string): Uint8Array {
  return Buffer.from(hex.replaceAll(' ', ''), 'hex');
}

function shown(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('hex')
    .replace(/..(?=.)/g, '$& ');
}

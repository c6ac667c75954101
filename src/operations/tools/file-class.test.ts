import { describe, expect, it } from 'vitest';
import { fileClass } from './file-class.ts';

describe('source comes before tests, documents and what others wrote', () => {
  for (const [path, expected] of [
    ['src/flask/app.py', 0],
    ['lib/attest/x.go', 0],
    ['tests/test_app.py', 1],
    ['pkg/app_test.go', 1],
    ['src/app.spec.ts', 1],
    ['README.md', 2],
    ['docs/conf.py', 2],
    ['vendor/x/y.go', 3],
    ['web/jquery.min.js', 3],
    ['package-lock.json', 3],
  ] as const) {
    it(path, () => expect(fileClass(path)).toBe(expected));
  }
});

import { createKeywordFinder, type KeywordFinder } from './keyword-finder.ts';
import { looks } from './secret-looks.ts';
import { overwrite, united } from './secret-spans.ts';
import type { SecretScanner, SecretSpan } from './types.ts';

/** Raised whenever any rule finds more, less or other spans. */
const rulesVersion = 2;

/** Keywords without which no rule finds anything: for whoever knows already which parts of a text hold none. */
export const secretKeywords: readonly string[] = looks.map(({ keyword }) => keyword);

/** Work done, for tests that count instead of timing. */
export interface ScanWork {
  /** Keywords found. */
  hits: number;
  /** Bytes that were read again there. */
  bytesRead: number;
}

/** Built at the first use in each thread. */
let keywords: KeywordFinder | null = null;

export function createSecretScanner(): SecretScanner & { work(): ScanWork } {
  keywords ??= createKeywordFinder(secretKeywords);
  const finder = keywords;
  const work: ScanWork = { hits: 0, bytesRead: 0 };

  function find(bytes: Uint8Array): SecretSpan[] {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const scan = { text, covered: 0, bytesRead: 0 };
    const spans: SecretSpan[] = [];
    finder.each(bytes, (keyword, start, end) => {
      const span = looks[keyword]!.look(scan, start, end);
      work.hits++;
      if (span === null) return;
      scan.covered = Math.max(scan.covered, span.end);
      spans.push(span);
    });
    work.bytesRead += scan.bytesRead;
    return spans.length < 2 ? spans : united(spans);
  }

  return {
    version: `secrets-${rulesVersion}`,
    find,
    mask(text) {
      const spans = find(text);
      for (const span of spans) overwrite(text, span);
      return spans.length;
    },
    work: () => ({ ...work }),
  };
}

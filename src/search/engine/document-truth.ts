import type { PlanNode } from './search-plan.ts';

/** What is known of the tests of one document: 1 fits, 0 does not, -1 is not known. */
export interface DocumentTests {
  readonly content: Int8Array;
  path(test: number): number;
  language(language: number): number;
}

export const FITS = 1;
export const FAILS = 0;
export const UNKNOWN = -1;

export function truthOf(node: PlanNode, tests: DocumentTests): number {
  switch (node.kind) {
    case 'content':
      return tests.content[node.test]!;
    case 'path':
      return tests.path(node.test);
    case 'language':
      return tests.language(node.language);
    case 'all': {
      let truth = FITS;
      for (let i = 0; i < node.of.length; i++) {
        const part = truthOf(node.of[i]!, tests);
        if (part === FAILS) return FAILS;
        if (part === UNKNOWN) truth = UNKNOWN;
      }
      return truth;
    }
    case 'any': {
      let truth = FAILS;
      for (let i = 0; i < node.of.length; i++) {
        const part = truthOf(node.of[i]!, tests);
        if (part === FITS) return FITS;
        if (part === UNKNOWN) truth = UNKNOWN;
      }
      return truth;
    }
    case 'not': {
      const truth = truthOf(node.of, tests);
      return truth === UNKNOWN ? UNKNOWN : 1 - truth;
    }
    case 'always':
      return FITS;
    case 'never':
      return FAILS;
    case 'place':
      throw new Error('place tests are decided before documents are looked at');
  }
}

/** The content and path tests that make a document fit: those that do, along the parts of the tree that do. */
export function reasonsOf(
  node: PlanNode,
  tests: DocumentTests,
  reasons: { contents: Set<number>; paths: Set<number> },
): void {
  if (node.kind === 'content' && tests.content[node.test] === FITS) reasons.contents.add(node.test);
  if (node.kind === 'path' && tests.path(node.test) === FITS) reasons.paths.add(node.test);
  if (node.kind !== 'all' && node.kind !== 'any') return;
  for (const part of node.of) if (truthOf(part, tests) === FITS) reasonsOf(part, tests, reasons);
}

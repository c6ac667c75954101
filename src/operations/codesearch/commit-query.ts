import { invalidRequest, type PeriscopeError } from '../../base/errors.ts';
import type { DecodedCommit } from '../../content/index.ts';
import { compileRegex, type QueryNode, type TextPattern } from '../../search/index.ts';
import { saysRepositories } from './repository-filter.ts';

/** The one text of a `type:diff`, null for every commit. Git looks for literal text alone. */
export function pickaxeOf(root: QueryNode): string | null {
  const texts = textsOf(root);
  const [only] = texts;
  if (!only) return null;
  if (texts.length === 1 && only.literal) return only.source;
  throw oneTextOnly();
}

function textsOf(node: QueryNode): TextPattern[] {
  switch (node.kind) {
    case 'all':
      return node.of.flatMap(textsOf);
    case 'text':
      if (node.where === 'path') throw notForCommits('A path');
      return [node.pattern];
    case 'everything':
    case 'repository':
    case 'archived':
    case 'fork':
      return [];
    case 'not':
      if (saysRepositories(node.of)) return [];
      throw oneTextOnly();
    default:
      throw oneTextOnly();
  }
}

/** The query over a commit's message, line by line. */
export function commitFilter(root: QueryNode): (commit: DecodedCommit) => boolean {
  const fits = filterOf(root);
  return ({ subject, body }) => fits(Buffer.from(`${subject}\n${body}`));
}

function filterOf(node: QueryNode): (message: Buffer) => boolean {
  // Decided for the whole repository already.
  if (saysRepositories(node)) return () => true;
  switch (node.kind) {
    case 'all': {
      const parts = node.of.map(filterOf);
      return (message) => parts.every((fits) => fits(message));
    }
    case 'any': {
      const parts = node.of.map(filterOf);
      return (message) => parts.some((fits) => fits(message));
    }
    case 'not': {
      const fits = filterOf(node.of);
      return (message) => !fits(message);
    }
    case 'everything':
      return () => true;
    case 'text': {
      if (node.where === 'path') throw notForCommits('A path');
      const regex = compileRegex(node.pattern.source, node.pattern);
      return (message) => regex.scan(message, { limit: 1, rangesPerLine: 0 }).lines.length > 0;
    }
    default:
      throw notForCommits(`"${node.kind}"`);
  }
}

function oneTextOnly(): PeriscopeError {
  return invalidRequest(
    'operations/diff-text',
    'type:diff looks for one literal text that commits added or removed.',
    'Call again with one word or one quoted text, for example {"query": "type:diff \\"retryLimit = 5\\""}.',
  );
}

function notForCommits(what: string): PeriscopeError {
  return invalidRequest(
    'operations/not-for-commits',
    `${what} says nothing about commits.`,
    'Leave it out, or call history with repo and path for the commits of one file.',
  );
}

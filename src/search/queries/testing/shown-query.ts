import type { QueryNode, TextPattern } from '../types.ts';

/** A tree as one line: `(all "foo"i path:/\.go$/i)`. A pattern is quoted text or a regex, `i` for any case. */
export function shownQuery(node: QueryNode): string {
  switch (node.kind) {
    case 'all':
    case 'any':
      return `(${node.kind} ${node.of.map(shownQuery).join(' ')})`;
    case 'not':
      return `(not ${shownQuery(node.of)})`;
    case 'everything':
      return '*';
    case 'text':
      return `${node.where === 'either' ? '' : `${node.where}:`}${shownPattern(node.pattern)}`;
    case 'language':
      return `lang:${node.language}`;
    case 'archived':
    case 'fork':
      return `${node.kind}:${node.is}`;
    case 'repository-has-file':
      return `has(${shownPattern(node.path)}, ${node.content ? shownPattern(node.content) : 'anything'})`;
    default:
      return `${node.kind}:${shownPattern(node.pattern)}`;
  }
}

function shownPattern({ source, literal, ignoreCase }: TextPattern): string {
  return (literal ? JSON.stringify(source) : `/${source}/`) + (ignoreCase ? 'i' : '');
}

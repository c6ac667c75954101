import type { GrammarLanguage } from './language-definition.ts';
import type { SyntaxTree } from './syntax-tree.ts';
import type { OffsetText } from './text-offsets.ts';

interface Comment {
  /** UTF-16 offsets, the line break at the end not counted. */
  start: number;
  end: number;
  firstLine: number;
  isBlock: boolean;
}

/** Bytes of what documents a definition, [-1, -1] for nothing: the comment that ends on the line above `outer`, or a docstring. */
export function createDocumentation(
  tree: SyntaxTree,
  language: GrammarLanguage,
  offsets: OffsetText,
): (node: number, outer: number) => [number, number] {
  const byLastLine = commentsByLastLine(tree, language, offsets);
  return (node, outer) => {
    const inside = language.documentationOf?.(tree, node) ?? -1;
    if (inside >= 0) return [offsets.byteOf(tree.start[inside]!), offsets.byteOf(tree.end[inside]!)];
    const start = tree.start[outer]!;
    const line = offsets.lineOf(offsets.byteOf(start));
    let last = byLastLine.get(line);
    if (last === undefined || last.end > start) last = byLastLine.get(line - 1);
    if (last === undefined || last.end > start) return [-1, -1];
    let first = last;
    while (!first.isBlock) {
      const above = byLastLine.get(first.firstLine - 1);
      if (above === undefined || above.isBlock) break;
      first = above;
    }
    const text = offsets.text.slice(first.start, last.end);
    if (language.isDocumentation && !language.isDocumentation(text)) return [-1, -1];
    return [offsets.byteOf(first.start), offsets.byteOf(last.end)];
  };
}

function commentsByLastLine(
  tree: SyntaxTree,
  language: GrammarLanguage,
  offsets: OffsetText,
): Map<number, Comment> {
  const comments = new Map<number, Comment>();
  const types = language.comments ?? [];
  if (types.length === 0) return comments;
  const { text } = offsets;
  const isComment = tree.typesNamed(types);
  for (let node = 0; node < tree.count; node++) {
    if (isComment[tree.symbol[node]!] === 0) continue;
    const start = tree.start[node]!;
    let end = tree.end[node]!;
    while (end > start && /[\r\n]/.test(text[end - 1]!)) end--;
    // Behind code on its line a comment speaks of that code.
    let before = start - 1;
    while (before >= 0 && (text[before] === ' ' || text[before] === '\t')) before--;
    if (before >= 0 && text[before] !== '\n') continue;
    comments.set(offsets.lineOf(offsets.byteOf(Math.max(start, end - 1))), {
      start,
      end,
      firstLine: offsets.lineOf(offsets.byteOf(start)),
      isBlock: /^(?:\/\*|<!--|\{-|=begin|--\[)/.test(text.slice(start, start + 6)),
    });
  }
  return comments;
}

import type { CodePointSet } from './code-point-set.ts';
import type { Syntax } from './syntax-tree.ts';
import { foldCase } from './unicode-tables.ts';

/** A word of an alternation: the sets of its characters. */
export type Word = readonly CodePointSet[];

/**
 * A trie of words that keeps their order of preference: a node is a list of parts, tried in order; a part is either the end
 * of a word or branches, and no branch reaches across an end that was preferred to it.
 */
export interface WordTrie {
  parts: ('end' | Map<number, { set: CodePointSet; rest: WordTrie }>)[];
}

/** The compiler walks a trie by recursion. */
const WORD_MAX = 500;

export function wordTrie(words: readonly Word[]): WordTrie {
  const root: WordTrie = { parts: [] };
  for (const word of words) insert(root, word);
  return root;
}

function insert(root: WordTrie, word: Word): void {
  let node = root;
  for (const set of word) {
    let branches = node.parts.at(-1);
    if (!branches || branches === 'end') {
      branches = new Map();
      node.parts.push(branches);
    }
    let branch = branches.get(set[0]!);
    if (!branch) {
      branch = { set, rest: { parts: [] } };
      branches.set(set[0]!, branch);
    }
    node = branch.rest;
  }
  if (node.parts.at(-1) !== 'end') node.parts.push('end');
}

/** Cuts alternatives into runs of words, two or more each, and single other alternatives, in order. */
export function wordRuns(options: readonly Syntax[]): (Word[] | Syntax)[] {
  const runs: (Word[] | Syntax)[] = [];
  for (let from = 0; from < options.length; ) {
    const words = leadingWords(options, from);
    if (words.length > 1) runs.push(words);
    else runs.push(options[from]!);
    from += Math.max(1, words.length);
  }
  return runs;
}

/** The words from `from` on. All of their sets are single characters, or all are closed under case folding: two sets are then equal or disjoint. */
function leadingWords(options: readonly Syntax[], from: number): Word[] {
  const words: Word[] = [];
  let style: 'exact' | 'folded' | undefined;
  for (let at = from; at < options.length; at++) {
    const word = asWord(options[at]!);
    if (!word) break;
    for (const set of word) {
      const own = styleOf(set);
      if (own === 'either') continue;
      if (own === 'neither' || (style !== undefined && style !== own)) return words;
      style = own;
    }
    words.push(word);
  }
  return words;
}

function asWord(syntax: Syntax): Word | undefined {
  const items = syntax.kind === 'sequence' ? syntax.items : [syntax];
  if (items.length > WORD_MAX) return undefined;
  const word: CodePointSet[] = [];
  for (const item of items) {
    if (item.kind !== 'set' || item.set.length === 0) return undefined;
    word.push(item.set);
  }
  return word;
}

type Style = 'exact' | 'folded' | 'either' | 'neither';
const styles = new WeakMap<CodePointSet, Style>();

function styleOf(set: CodePointSet): Style {
  let style = styles.get(set);
  if (!style) {
    style = findStyle(set);
    styles.set(set, style);
  }
  return style;
}

/** A character without case, such as a digit, fits both styles. No orbit of case folding has more than four members. */
function findStyle(set: CodePointSet): Style {
  const single = set.length === 2 && set[0] === set[1];
  const closed = set.length <= 8 && foldCase([set[0]!, set[0]!]).join() === set.join();
  if (single) return closed ? 'either' : 'exact';
  return closed ? 'folded' : 'neither';
}

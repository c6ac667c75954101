import { globMatcher } from '../../base/glob.ts';

/** One line of a CODEOWNERS file: a gitignore-like pattern and who owns what it matches. */
export interface OwnerRule {
  line: number;
  pattern: string;
  owners: readonly string[];
}

/** Where GitHub, GitLab and Gitea look, in their order: the first that exists counts. */
export const codeOwnersPaths = [
  '.github/CODEOWNERS',
  '.gitea/CODEOWNERS',
  '.gitlab/CODEOWNERS',
  'CODEOWNERS',
  'docs/CODEOWNERS',
] as const;

/** Far beyond what any forge takes; a file without end must not take time without end. */
const LINES_MAX = 20_000;
const LINE_CHARACTERS_MAX = 2000;

/** GitLab's `[Section] @default` lines give their owners to the rules below that name none. */
export function parseCodeOwners(text: string): OwnerRule[] {
  const rules: OwnerRule[] = [];
  let sectionOwners: readonly string[] = [];
  for (const [index, raw] of text.split('\n', LINES_MAX).entries()) {
    const line = raw
      .slice(0, LINE_CHARACTERS_MAX)
      .replace(/(^|\s)#.*$/, '')
      .trim();
    if (line === '') continue;
    const section = /^\^?\[[^\]]+\](?:\[\d+\])?(.*)$/.exec(line);
    if (section) {
      sectionOwners = wordsOf(section[1]!);
      continue;
    }
    const [pattern, ...owners] = wordsOf(line);
    if (pattern) rules.push({ line: index + 1, pattern, owners: owners.length > 0 ? owners : sectionOwners });
  }
  return rules;
}

/** The last rule that matches wins; a rule without owners takes ownership away. */
export function ownersOf(rules: readonly OwnerRule[], path: string): OwnerRule | null {
  return rules.findLast(({ pattern }) => (path === '' ? pattern === '*' : owns(pattern, path))) ?? null;
}

/** As gitignore reads it: a slash within anchors it to the root, a trailing one means a directory, and a directory owns all below it. */
function owns(pattern: string, path: string): boolean {
  const plain = pattern.replace(/^\//, '').replace(/\/$/, '');
  const anchored = pattern.startsWith('/') || plain.includes('/') ? plain : `**/${plain}`;
  const below = globMatcher(`${anchored}/**`);
  return below(path) || (!pattern.endsWith('/') && globMatcher(anchored)(path));
}

/** A blank in a path is written `\ `. */
function wordsOf(line: string): string[] {
  return line.match(/(?:\\.|\S)+/g) ?? [];
}

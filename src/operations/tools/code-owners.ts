import ignore from 'ignore';

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

/** GitLab's `[Section] @default` lines give their owners to the rules below that name none. */
export function parseCodeOwners(text: string): OwnerRule[] {
  const rules: OwnerRule[] = [];
  let sectionOwners: readonly string[] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.replace(/(^|\s)#.*$/, '').trim();
    if (line === '') continue;
    const section = /^\^?\[[^\]]+\](?:\[\d+\])?\s*(.*)$/.exec(line);
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
  for (const rule of [...rules].reverse()) {
    if (path !== '' && ignore().add(rule.pattern).ignores(path)) return rule;
    if (path === '' && rule.pattern === '*') return rule;
  }
  return null;
}

/** A blank in a path is written `\ `. */
function wordsOf(line: string): string[] {
  return line.match(/(?:\\.|\S)+/g) ?? [];
}

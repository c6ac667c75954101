import type { HostStatus, Repository } from '../catalog/index.ts';
import type { MentionJson, MentionsJson } from '../contract/index.ts';
import { namesOf } from './addressing/repository-names.ts';
import { hostProblemsFor } from './host-problems.ts';

/** The picker's data: visible repositories whose name holds the query, those that begin with it first. */
export function listMentions(
  query: string,
  visible: readonly Repository[],
  hosts: readonly HostStatus[],
  limit: number,
): MentionsJson {
  const wanted = query
    .trim()
    .replace(/^@(?:repo:)?/, '')
    .toLowerCase();
  const names = namesOf(visible);
  const ranked = visible
    .map((repository) => ({ repository, rank: rankOf(repository.name.toLowerCase(), wanted) }))
    .filter(({ rank }) => rank !== null)
    .sort((a, b) => a.rank! - b.rank! || (a.repository.name < b.repository.name ? -1 : 1));
  const mentions = ranked.slice(0, limit).map(({ repository }): MentionJson => {
    const name = names.shortest(repository);
    return { name, host: repository.host, defaultBranch: repository.defaultBranch, insert: mentionOf(name) };
  });
  return { mentions, reason: mentions.length === 0 ? emptyReason(wanted, visible, hosts) : null };
}

/** The instruction block for every `@repo:name` in a text. A hidden repository and one that never was get the same sentence. */
export function expandMentions(text: string, visible: readonly Repository[]): string {
  const names = namesOf(visible);
  const blocks: string[] = [];
  for (const name of mentionedNames(text)) {
    const found = names.find(name);
    if (found.kind !== 'one') {
      blocks.push(`- ${name}: there is no such repository that you can read.`);
      continue;
    }
    const shortest = names.shortest(found.repository);
    const branch = found.repository.defaultBranch ?? 'its default branch';
    blocks.push(
      `- ${shortest} (${branch}): read it in place with list_directory {"repo": "${shortest}"}, ` +
        `scan_directory {"repo": "${shortest}", "pattern": "..."} and read_file {"repo": "${shortest}", "path": "..."}.`,
    );
  }
  return blocks.length === 0
    ? ''
    : `Repositories mentioned, to be read through Periscope:\n${blocks.join('\n')}`;
}

/** `@repo:name`, in quotes where the name would not end by itself. */
export function mentionOf(name: string): string {
  return /[\s,;()"'`]|[.:?!]$/.test(name) ? `@repo:"${name.replaceAll('"', '\\"')}"` : `@repo:${name}`;
}

function mentionedNames(text: string): Set<string> {
  const mentions = text.matchAll(/@repo:(?:"((?:[^"\\]|\\.){1,1000})"|([^\s,;()"'`]{1,1000}))/g);
  return new Set(
    [...mentions].map(([, quoted, bare]) =>
      quoted === undefined ? bare!.replace(/[.:?!]+$/, '') : quoted.replaceAll('\\"', '"'),
    ),
  );
}

function rankOf(name: string, wanted: string): number | null {
  const short = name.slice(name.lastIndexOf('/') + 1);
  if (short.startsWith(wanted)) return 0;
  if (name.startsWith(wanted)) return 1;
  return name.includes(wanted) ? 2 : null;
}

function emptyReason(wanted: string, visible: readonly Repository[], hosts: readonly HostStatus[]): string {
  const problems = hostProblemsFor(visible, hosts);
  if (problems.length > 0) return problems.join(' ');
  return visible.length === 0
    ? 'There is no repository that you can read.'
    : `No repository that you can read matches "${wanted}".`;
}

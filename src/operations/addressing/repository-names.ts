import { editDistance } from '../../base/edit-distance.ts';
import type { Repository } from '../../catalog/index.ts';

/** How the visible repositories can be called. Built once for each visible set; hidden ones are not in it and cannot leak. */
export interface RepositoryNames {
  /** By `host/owner/name`, `owner/name`, a former name, or a trailing part of the name; null when nothing or more than one fits. */
  find(name: string): FoundName;
  /** The one repository whose name is a typing slip away, or null. */
  nearest(name: string): Repository | null;
  /** Up to `limit` names that look alike, best first. */
  near(name: string, limit: number): string[];
  /** The longest repository name that `text` begins with, followed by `/`, `:`, `@`, `#` or the end; and what comes after it. */
  longestPrefix(text: string): { repository: Repository; rest: string } | null;
  /** Shortest form that leads to this repository alone. */
  shortest(repository: Repository): string;
}

export type FoundName =
  | { kind: 'one'; repository: Repository; how: 'exact' | 'former' | 'part' | 'letter-case' }
  | { kind: 'several'; repositories: readonly Repository[] }
  | { kind: 'none' };

const cache = new WeakMap<readonly Repository[], RepositoryNames>();

export function namesOf(visible: readonly Repository[]): RepositoryNames {
  let names = cache.get(visible);
  if (!names) {
    names = buildNames(visible);
    cache.set(visible, names);
  }
  return names;
}

function buildNames(visible: readonly Repository[]): RepositoryNames {
  const full = new Map<string, Repository[]>();
  const former = new Map<string, Repository[]>();
  const parts = new Map<string, Repository[]>();
  const folded = new Map<string, Repository[]>();
  for (const repository of visible) {
    push(full, repository.name, repository);
    push(full, `${repository.host}/${repository.name}`, repository);
    for (const alias of repository.aliases) {
      push(former, alias, repository);
      push(former, `${repository.host}/${alias}`, repository);
    }
    for (const part of trailingParts(repository.name)) push(parts, part, repository);
    for (const name of [
      `${repository.host}/${repository.name}`,
      repository.name,
      ...trailingParts(repository.name),
    ]) {
      push(folded, name.toLowerCase(), repository);
    }
  }

  // No text longer than this can be a name, so an address is never searched further.
  const lengthMax = Math.max(0, ...[...folded.keys(), ...former.keys()].map(({ length }) => length));

  const find = (name: string): FoundName => {
    const steps = [
      ['exact', full.get(name)],
      ['former', former.get(name)],
      ['part', parts.get(name)],
      ['letter-case', folded.get(name.toLowerCase())],
    ] as const;
    for (const [how, found] of steps) {
      if (!found) continue;
      if (found.length === 1) return { kind: 'one', repository: found[0]!, how };
      return { kind: 'several', repositories: found };
    }
    return { kind: 'none' };
  };

  const distances = (name: string, max: number) => {
    const wanted = name.toLowerCase();
    const ranked: { repository: Repository; distance: number }[] = [];
    for (const repository of visible) {
      const whole = repository.name.toLowerCase();
      const short = whole.slice(whole.lastIndexOf('/') + 1);
      const distance = Math.min(editDistance(wanted, whole, max), editDistance(wanted, short, max));
      if (distance <= max) ranked.push({ repository, distance });
    }
    return ranked.sort((a, b) => a.distance - b.distance || (a.repository.name < b.repository.name ? -1 : 1));
  };

  return {
    find,
    nearest(name) {
      const [first, second] = distances(name, slipsAllowed(name));
      if (!first || (second && second.distance === first.distance)) return null;
      return first.repository;
    },
    near(name, limit) {
      const wanted = name.toLowerCase();
      const short = wanted.slice(wanted.lastIndexOf('/') + 1);
      const alike = distances(name, slipsAllowed(name) + 1).map(({ repository }) => repository.name);
      const containing = visible
        .filter(({ name: candidate }) => short.length > 2 && candidate.toLowerCase().includes(short))
        .map(({ name: candidate }) => candidate);
      return [...new Set([...alike, ...containing])].slice(0, limit);
    },
    longestPrefix(text) {
      for (let end = Math.min(text.length, lengthMax); end > 0; end--) {
        if (end < text.length && !'/:@#'.includes(text[end]!)) continue;
        const found = find(text.slice(0, end));
        if (found.kind === 'one') return { repository: found.repository, rest: text.slice(end) };
      }
      return null;
    },
    shortest(repository) {
      const alone = full.get(repository.name);
      return alone && alone.length > 1 ? `${repository.host}/${repository.name}` : repository.name;
    },
  };
}

/** One slip in a short name, two in a longer one; none below four letters, where everything is near everything. */
function slipsAllowed(name: string): number {
  return name.length < 4 ? 0 : name.length < 8 ? 1 : 2;
}

function trailingParts(name: string): string[] {
  const parts: string[] = [];
  for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1)) parts.push(name.slice(at + 1));
  return parts;
}

function push(map: Map<string, Repository[]>, key: string, repository: Repository): void {
  const list = map.get(key);
  if (!list) map.set(key, [repository]);
  else if (!list.includes(repository)) list.push(repository);
}

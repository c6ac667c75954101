import type { Repository } from '../../catalog/index.ts';
import type { GraphRelation } from '../../symbols/index.ts';
import { namesOf } from '../addressing/repository-names.ts';
import { repositoryNotFound } from '../errors.ts';
import { bareName, relationInName } from './written-names.ts';

/** What a call names to start from, taken apart; nothing is looked up but names of repositories. */
export interface StartWords {
  /** That the name itself asks for. */
  relation: GraphRelation | null;
  /** Of a definition or a package. */
  name: string | null;
  repo: readonly string[];
  path: string | null;
  line: number | null;
  /** What is left of the filter of paths. */
  file: readonly string[];
  notes: readonly string[];
}

export interface GivenWords {
  name?: string | undefined;
  repo?: readonly string[] | undefined;
  path?: string | undefined;
  line?: number | undefined;
  file?: readonly string[] | undefined;
}

/** `src/a.ts:12`, `acme/payments/src/a.ts#L10`, a browse URL: a hit as answers cite it. */
const CITED = /^(?=.*[./]).+(?:#L?\d+|[^:]:\d+)(?:[-:,]\S*)?$/;
const URL_START = /^https?:\/\//;

/** Pure over the visible repositories. */
export function startWords(given: GivenWords, visible: readonly Repository[]): StartWords {
  const notes: string[] = [];
  let repo = [...(given.repo ?? [])];
  let path = given.path?.trim() || null;
  let file = [...(given.file ?? [])];
  const asking = relationInName(given.name ?? '');
  let name = bareName(asking?.name ?? given.name ?? '');

  const leading = /^@(?:repo:)?(\S+)\s+(\S.*)$/.exec(name);
  if (leading) {
    repo = [leading[1]!];
    name = leading[2]!;
  }
  if (path === null && (URL_START.test(name) || CITED.test(name))) {
    path = name;
    name = '';
  }
  const at = name.lastIndexOf('@');
  if (at > 0) {
    const [before, behind] = [name.slice(0, at), name.slice(at + 1)];
    if (isVersion(behind)) notes.push(`Left the version "${behind}" off the name: answers tell versions.`);
    else repo = [knownRepository(behind, visible)];
    name = before;
  }
  const [only] = file;
  const isOnePath = file.length === 1 && only !== undefined && !/[*?[\]{}!]/.test(only);
  if (path === null && isOnePath && (given.line !== undefined || name === '')) {
    path = only;
    file = [];
  }
  return {
    relation: asking?.relation ?? null,
    name: name === '' ? null : name,
    repo,
    path,
    line: given.line ?? null,
    file,
    notes,
  };
}

function isVersion(text: string): boolean {
  return /^[~^<>=\s]*v?\d[\w.+-]*$/.test(text) || text === 'latest' || text === '';
}

/** Hidden and unknown ones alike are none. */
function knownRepository(name: string, visible: readonly Repository[]): string {
  const names = namesOf(visible);
  if (names.find(name).kind === 'none') throw repositoryNotFound(name, names.near(name, 5));
  return name;
}

import type { Counted } from '../../search/index.ts';
import type {
  EdgeFinding,
  GraphAnswer,
  GraphCoverage,
  GraphEdge,
  GraphNode,
  GraphRelation,
} from '../../symbols/index.ts';
import { countSaid } from '../codesearch/search-words.ts';
import { relationNouns } from './relation-words.ts';

/** `3 callers of X`, `at least 12 places use X`. Nothing in a part is not nothing. */
export function countedSaid(relation: GraphRelation, { count, exact }: Counted, of: string): string {
  if (count === 0 && !exact) return `No ${relationNouns[relation][1]} ${ofWord(relation)}${of} so far`;
  if (relation === 'references') {
    const one = count === 1 && exact;
    return `${countSaid({ count, exact }, 'place', 'places')} ${one ? 'uses' : 'use'} ${of}`;
  }
  const [one, several] = relationNouns[relation];
  return `${countSaid({ count, exact }, one, several)} of ${of}`;
}

/** Of references the noun ends in its verb. */
function ofWord(relation: GraphRelation): string {
  return relation === 'references' ? '' : 'of ';
}

/** What was looked through, on one line: it stands in every answer, so that no gap is silent. */
export function coverageSaid({ documents, withFacts, withoutLanguage, skipped }: GraphCoverage): string {
  const without = Object.entries(skipped)
    .filter(([, count]) => (count ?? 0) > 0)
    .map(([reason, count]) => `${count} ${reason}`);
  if (withoutLanguage > 0) without.unshift(`${withoutLanguage} in languages without symbols`);
  const read = `${withFacts} of ${documents} ${documents === 1 ? 'file' : 'files'} read for symbols`;
  return without.length > 0 ? `${read}; ${without.join(', ')}` : read;
}

/** Why an edge is told where it is not certain; null where it is. */
export function sureness({ confidence, how }: Pick<GraphEdge, 'confidence' | 'how'>): string | null {
  if (confidence === 'certain') return null;
  const isByName = how === 'name' || how === 'unique-name';
  if (confidence === 'possible')
    return `possible: ${isByName ? reasons.name : `${reasons[how]}, one of several`}`;
  return `likely: ${reasons[how]}`;
}

const reasons: Readonly<Record<EdgeFinding, string>> = {
  'same-file': 'in the same file',
  import: 'by an import',
  're-export': 'by a re-export',
  namespace: 'by its namespace',
  package: 'by its package',
  'receiver-type': 'by the type of what stands before it',
  inherited: 'inherited',
  'unique-name': 'no other definition has the name',
  name: 'by its name alone',
  manifest: 'by a package manifest',
  scip: 'by a precise index',
};

/** `method Session.refresh`, `package express`. */
export function nodeSaid({ kind, name, container, symbolKind, version }: GraphNode): string {
  if (kind === 'package') return `package ${name}${version ? ` ${version}` : ''}`;
  return kind === 'file' ? name : `${symbolKind ?? ''} ${container}`.trim();
}

/** Why the file that was asked about has no symbols, and in which words; null where it has. */
export function missingSaid(missing: GraphAnswer['coverage']['start']): string | null {
  switch (missing) {
    case null:
      return null;
    case 'no-language':
      return 'its language is not one that is read for symbols';
    case 'pending':
      return 'it has not been read for symbols yet: ask again in a moment';
    case 'no-file':
      return 'the index has no such file at this revision yet';
    case 'binary':
      return 'it is binary';
    case 'lfs-pointer':
      return 'git holds no more of it than a Git LFS pointer';
    case 'too-many-trigrams':
      return 'it looks made by a machine, and such files are not in the index';
    case 'unreadable':
    case 'missing':
      return 'its text could not be read from git';
    case 'too-large':
      return 'it is too large for the index, or to be read for symbols';
    case 'too-slow':
      return 'reading it for symbols took too long';
    case 'machine-made':
      return 'it looks made by a machine, and such files are not read for symbols';
    case 'failed':
      return 'reading it for symbols failed';
  }
}

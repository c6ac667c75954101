import { editDistance } from '../../base/edit-distance.ts';
import { PeriscopeError } from '../../base/errors.ts';
import type { Mirror, ReadOptions, ResolvedRevision } from '../../mirrors/index.ts';
import { shortened } from '../shortened.ts';
import type { Address } from './address.ts';
import type { PathCandidate } from './path-candidates.ts';

export interface ResolvedAddress {
  revision: ResolvedRevision;
  candidates: readonly PathCandidate[];
  notes: string[];
}

/** The commit that an address means: with `origin/` left off, letter case forgiven where one branch or tag fits, and a browse URL's branch told from its path. */
export async function resolveAddress(
  address: Address,
  mirror: Mirror,
  options: ReadOptions,
): Promise<ResolvedAddress> {
  if (address.revisionAndPath !== null) {
    const { revision, path } = await splitByRefs(address.revisionAndPath, mirror, options);
    const candidates = address.candidates.map((candidate) => ({
      ...candidate,
      path: path.replace(/\/+$/, ''),
    }));
    return { revision: await mirror.resolve(revision, options), candidates, notes: [] };
  }
  try {
    return {
      revision: await mirror.resolve(address.revision, options),
      candidates: address.candidates,
      notes: [],
    };
  } catch (error) {
    const asked = address.revision;
    if (!(error instanceof PeriscopeError) || error.kind !== 'ref-not-found' || asked === undefined)
      throw error;
    const names = (await mirror.refs(options)).map(({ name }) => name);
    const meant = meantRevision(asked, names);
    if (meant === null) throw withNear(error, asked, names);
    const notes = [`There is no revision "${shortened(asked, 100)}"; read ${meant}.`];
    return { revision: await mirror.resolve(meant, options), candidates: address.candidates, notes };
  }
}

/** `origin/` left off, a leading `v` too many or too few, another letter case: where that is one branch or tag. */
function meantRevision(asked: string, names: readonly string[]): string | null {
  const bare = asked.replace(/^(?:refs\/remotes\/|remotes\/)?(?:origin|upstream)\//, '').trim();
  const readings = [bare, bare.startsWith('v') ? bare.slice(1) : `v${bare}`];
  for (const reading of readings) if (names.includes(reading)) return reading;
  const folded = names.filter((name) => name.toLowerCase() === bare.toLowerCase());
  return folded.length === 1 ? folded[0]! : null;
}

/** The same error with the names that look like the asked one: the default branch is no answer to who wants a version. */
function withNear(error: PeriscopeError, asked: string, names: readonly string[]): PeriscopeError {
  const again = (message: string, next: string) =>
    new PeriscopeError(error.kind, error.code, message, next, { data: error.data });
  if (/[~^]|@\{/.test(asked)) {
    return again(error.message, 'Take the commit from history, and call again with its id as revision.');
  }
  const wanted = asked.toLowerCase().slice(0, 100);
  const near = names
    .slice(0, NAMES_COMPARED_MAX)
    .filter((name) => name.toLowerCase().includes(wanted) || editDistance(wanted, name.toLowerCase(), 2) <= 2)
    .slice(0, 5);
  if (near.length === 0) return error;
  return again(
    `${error.message} Near it: ${near.join(', ')}.`,
    `Call again with revision "${near[0]}", or: ${error.next}`,
  );
}

const NAMES_COMPARED_MAX = 5000;

/** `feature/x/src/a.ts` is the longest branch or tag that it begins with, and the path after it; a commit's hex stands alone. */
async function splitByRefs(
  text: string,
  mirror: Mirror,
  options: ReadOptions,
): Promise<{ revision: string; path: string }> {
  const refs = new Set((await mirror.refs(options)).map(({ name }) => name));
  for (let end = text.length; end > 0; end = text.lastIndexOf('/', end - 1)) {
    const name = text.slice(0, end);
    if (refs.has(name)) return { revision: name, path: text.slice(end + 1) };
  }
  const slash = text.indexOf('/');
  return slash === -1
    ? { revision: text, path: '' }
    : { revision: text.slice(0, slash), path: text.slice(slash + 1) };
}

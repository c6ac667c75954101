import { PeriscopeError } from '../../base/errors.ts';
import type { Mirror, ReadOptions, ResolvedRevision } from '../../mirrors/index.ts';
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
    const meant = await meantRevision(error, address.revision, mirror, options);
    if (meant === null) throw error;
    const notes = [`There is no revision "${address.revision}"; read ${meant}.`];
    return { revision: await mirror.resolve(meant, options), candidates: address.candidates, notes };
  }
}

async function meantRevision(
  error: unknown,
  asked: string | undefined,
  mirror: Mirror,
  options: ReadOptions,
) {
  const isMissing = error instanceof PeriscopeError && error.kind === 'ref-not-found';
  if (!isMissing || asked === undefined) return null;
  const refs = await mirror.refs(options);
  const bare = asked.replace(/^(?:refs\/remotes\/|remotes\/)?(?:origin|upstream)\//, '').trim();
  if (refs.some(({ name }) => name === bare)) return bare;
  const folded = refs.filter(({ name }) => name.toLowerCase() === bare.toLowerCase());
  return folded.length === 1 ? folded[0]!.name : null;
}

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

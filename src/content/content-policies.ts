import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { bytesOfPath } from '../base/byte-path.ts';
import { PeriscopeError } from '../base/errors.ts';
import type { Mirror } from '../mirrors/index.ts';
import type { SecretScanner } from '../secrets/index.ts';
import { ignoreFileUnreadable } from './errors.ts';
import { type IgnoreRules, parseIgnoreRules } from './ignore-rules.ts';
import type { RepositoryPolicy } from './types.ts';

export interface ContentPolicies {
  /**
   * What may be shown of a repository: the opt-out that its default branch's newest commit holds, whatever commit is asked for.
   * Fails with `blocked-by-policy` where there is one that cannot be read, so that nothing of the repository is shown.
   */
  policyOf(mirror: Mirror, commit: string): Promise<RepositoryPolicy>;
}

/** Ours, and the one that users of Sourcegraph have. A path is hidden when either says so. */
const ignoreFiles = ['.periscope/ignore', '.sourcegraph/ignore'];
/** What says that something is hidden stays readable, so that people can find out. */
const alwaysShown = new Set(ignoreFiles.flatMap((file) => [file, file.slice(0, file.indexOf('/'))]));

const fileBytesMax = 256 * 1024;
const limits = { patternsMax: 5000, wildcardBytesMax: 32 * 1024 };

/** A commit is read once for each repository; after that a call costs a look at the references. */
export function createContentPolicies({ scanner }: { scanner: SecretScanner }): ContentPolicies {
  interface Known {
    commit: string | null;
    /** Object ids of the files, so that a push that touches neither costs no compiling. */
    oids: string;
    policy: RepositoryPolicy | PeriscopeError;
  }
  const known = new WeakMap<Mirror, Known>();
  const nothing: Known = { commit: null, oids: '', policy: policyFrom([], scanner) };

  return {
    async policyOf(mirror) {
      const commit = await defaultCommit(mirror);
      let last = known.get(mirror);
      // A default branch that is gone is an accident: what was hidden before it stays hidden.
      if (last === undefined || (commit !== null && last.commit !== commit)) {
        const next = commit === null ? nothing : await read(mirror, commit, last);
        known.set(mirror, next);
        if (next.policy !== last?.policy) await mirror.keepDirectories(keyOf(next.policy));
        last = next;
      }
      if (last.policy instanceof PeriscopeError) throw last.policy;
      return last.policy;
    },
  };

  async function read(mirror: Mirror, commit: string, last: Known | undefined): Promise<Known> {
    const entries: (IgnoreEntry | null)[] = [];
    // One after the other: the second finds in memory what the first has read of the way.
    for (const path of ignoreFiles) entries.push(await entryOrNull(mirror, commit, path));
    const oids = entries.map((entry) => (entry === null ? '' : `${entry.kind}:${entry.oid}`)).join(' ');
    if (last?.oids === oids) return { ...last, commit };
    const files: IgnoreFile[] = [];
    try {
      for (const entry of entries) if (entry !== null) files.push(await readIgnoreFile(mirror, entry));
    } catch (error) {
      if (!(error instanceof PeriscopeError) || error.kind !== 'blocked-by-policy') throw error;
      return { commit, oids, policy: error };
    }
    return { commit, oids, policy: policyFrom(files, scanner) };
  }
}

/** Null where nothing may be shown. */
const keyOf = (policy: RepositoryPolicy | PeriscopeError): string | null =>
  policy instanceof PeriscopeError ? null : policy.key;

const { signal: noSignal } = new AbortController();

/** Of the default branch as the mirror knows it: whoever asks has just had it refreshed. Null where there is none. */
async function defaultCommit(mirror: Mirror): Promise<string | null> {
  const { lastCommit } = await mirror.peek({ signal: noSignal });
  if (lastCommit !== null) return lastCommit.commit;
  try {
    // Not mirrored yet, or not readable in this moment: this says which.
    return (await mirror.resolve(undefined, { signal: noSignal })).commit;
  } catch (error) {
    if (error instanceof PeriscopeError && error.kind === 'ref-not-found') return null;
    throw error;
  }
}

type IgnoreEntry = Awaited<ReturnType<Mirror['entry']>>;

async function entryOrNull(mirror: Mirror, commit: string, path: string): Promise<IgnoreEntry | null> {
  try {
    return await mirror.entry(commit, path, { signal: noSignal });
  } catch (error) {
    if (error instanceof PeriscopeError && error.kind === 'path-not-found') return null;
    throw error;
  }
}

interface IgnoreFile {
  bytes: Buffer;
  rules: IgnoreRules;
}

async function readIgnoreFile(mirror: Mirror, { path, kind, oid }: IgnoreEntry): Promise<IgnoreFile> {
  if (kind !== 'file' && kind !== 'executable') throw ignoreFileUnreadable(path, `it is a ${kind}`);
  const bytes = await mirror.blob(oid, { signal: noSignal, bytesMax: fileBytesMax }).catch((error) => {
    if (!(error instanceof PeriscopeError) || error.kind !== 'too-large') throw error;
    throw ignoreFileUnreadable(path, `it is larger than ${fileBytesMax / 1024} KiB`);
  });
  if (!isUtf8(bytes) || bytes.includes(0)) throw ignoreFileUnreadable(path, 'it is no UTF-8 text');
  const rules = parseIgnoreRules(bytes.toString('latin1'), limits);
  if (rules === null) {
    const { patternsMax, wildcardBytesMax } = limits;
    const most = `more than ${patternsMax} patterns, or more than ${wildcardBytesMax / 1024} KiB of patterns with wildcards`;
    throw ignoreFileUnreadable(path, `it holds ${most}`);
  }
  return { bytes, rules };
}

function policyFrom(files: readonly IgnoreFile[], scanner: SecretScanner): RepositoryPolicy {
  const hash = createHash('sha256').update(scanner.version);
  for (const { bytes } of files) hash.update(`\0${bytes.length}\0`).update(bytes);
  const active = files.filter(({ rules }) => rules.patterns > 0).map(({ rules }) => rules);
  return {
    key: hash.digest('hex').slice(0, 32),
    maskKey: scanner.version,
    hidesNothing: active.length === 0,
    optedOut(path, isDirectory = false) {
      if (active.length === 0 || alwaysShown.has(path)) return false;
      const bytes = byteText(path);
      return active.some((rules) => rules.excludes(bytes, isDirectory));
    },
    mask: (text) => scanner.mask(text),
  };
}

/** Bytes as Latin-1 characters, as git compares them. */
function byteText(path: string): string {
  return /^[\x20-\x5b\x5d-\x7e]*$/.test(path) ? path : bytesOfPath(path).toString('latin1');
}

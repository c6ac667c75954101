import { failureOf } from '../git/git-failures.ts';
import type { GitHome } from '../git/git-home.ts';
import type { GitRunner } from '../git/git-process.ts';
import { isObjectId } from '../git/object-id.ts';
import type { RemoteAccess } from '../types.ts';
import type { RemoteAddress } from './remote-address.ts';
import { remoteCommand } from './remote-command.ts';

/** What a remote tells of its branches and tags. */
export interface RemoteRefs {
  /** Full name of the branch that its HEAD names, where it tells. */
  head: string | null;
  /** Full names to object ids, unpeeled. */
  refs: ReadonlyMap<string, string>;
}

const answerBytesMax = 256 * 1024 * 1024;

export async function askRemoteRefs(
  remote: { name: string; address: RemoteAddress; access: RemoteAccess },
  options: { timeoutMs: number; signal?: AbortSignal },
  deps: { runner: GitRunner; home: GitHome },
): Promise<RemoteRefs> {
  const doing = `Asking the remote of ${remote.name}`;
  const output = await deps.runner.run({
    what: doing,
    // In a repository of ours: one around the data folder would be found otherwise, and its config could send us elsewhere.
    args: [
      `--git-dir=${deps.home.bareShell('sha1')}`,
      'ls-remote',
      '--symref',
      '--',
      remote.address.url,
      'HEAD',
      'refs/heads/*',
      'refs/tags/*',
    ],
    ...(await remoteCommand(remote.address, remote.access, deps.home)),
    lane: 'network',
    timeoutMs: options.timeoutMs,
    ...(options.signal ? { signal: options.signal } : {}),
    stdoutBytesMax: answerBytesMax,
  });
  if (output.code !== 0) throw failureOf(output.stderr, { name: remote.name, doing });
  return parseRemoteRefs(output.stdout.toString('utf8'));
}

function parseRemoteRefs(text: string): RemoteRefs {
  const refs = new Map<string, string>();
  let head: string | null = null;
  for (const line of text.split('\n')) {
    const [value = '', name = ''] = line.split('\t');
    if (name === 'HEAD' && value.startsWith('ref: refs/heads/')) head = value.slice('ref: '.length);
    else if (/^refs\/(?:heads|tags)\/[^\x00-\x20\x7f~^:?*[\\]+$/.test(name) && isObjectId(value))
      refs.set(name, value);
  }
  return { head, refs };
}

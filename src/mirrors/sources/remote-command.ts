import { secretUnreadable } from '../errors.ts';
import { gitEnvironment } from '../git/git-environment.ts';
import type { GitHome } from '../git/git-home.ts';
import type { RemoteAccess } from '../types.ts';
import type { RemoteAddress } from './remote-address.ts';

/** Environment of a command that talks to a remote. The secret is fetched for this command and stands in its environment alone. */
export async function remoteCommand(
  address: RemoteAddress,
  access: RemoteAccess,
  home: GitHome,
): Promise<{ env: Record<string, string>; credential?: { username: string; secret: string } }> {
  const config: [string, string][] = [];
  if (access.caFile !== null) config.push(['http.sslCAInfo', access.caFile]);
  if (access.proxy !== null) config.push(['http.proxy', access.proxy]);
  if (address.addresses.length > 0 && address.protocol !== 'ssh') {
    const pinned = address.addresses.map((ip) => (ip.includes(':') ? `[${ip}]` : ip)).join(',');
    config.push(['http.curloptResolve', `${address.hostname}:${address.port}:${pinned}`]);
  }
  const secret = address.protocol === 'ssh' ? null : await readSecret(access);
  const credential = secret === null ? undefined : { username: access.username ?? 'x-access-token', secret };
  const env = gitEnvironment(home, {
    protocols: [address.protocol],
    config,
    variables: {
      ...(credential ? askpassVariables(address, credential, home) : {}),
      ...(address.protocol === 'ssh' ? { GIT_SSH_COMMAND: sshCommand(access) } : {}),
    },
  });
  return { env, ...(credential ? { credential } : {}) };
}

async function readSecret(access: RemoteAccess): Promise<string | null> {
  if (access.secret === null) return null;
  try {
    return await access.secret();
  } catch (error) {
    throw secretUnreadable(error);
  }
}

function askpassVariables(
  { protocol, host }: RemoteAddress,
  { username, secret }: { username: string; secret: string },
  home: GitHome,
): Record<string, string> {
  return {
    GIT_ASKPASS: home.askpass,
    PERISCOPE_GIT_USERNAME: username,
    PERISCOPE_GIT_SECRET: secret,
    PERISCOPE_GIT_USERNAME_PROMPT: `Username for '${protocol}://${host}': `,
    PERISCOPE_GIT_PASSWORD_PROMPT: `Password for '${protocol}://${username}@${host}': `,
    // Git after 2.48 encodes the name in its prompt.
    PERISCOPE_GIT_PASSWORD_PROMPT_ENCODED: `Password for '${protocol}://${encodeURIComponent(username)}@${host}': `,
  };
}

function sshCommand(access: RemoteAccess): string {
  const options = [
    '-oBatchMode=yes',
    '-oConnectTimeout=10',
    '-oServerAliveInterval=15',
    '-oServerAliveCountMax=3',
    '-oStrictHostKeyChecking=yes',
    '-F /dev/null',
    `-l ${quoted(access.username ?? 'git')}`,
  ];
  if (access.sshKeyFile !== null) options.push('-oIdentitiesOnly=yes', `-i ${quoted(access.sshKeyFile)}`);
  if (access.sshKnownHostsFile !== null) {
    options.push(`-oUserKnownHostsFile=${quoted(access.sshKnownHostsFile)}`);
  }
  return `ssh ${options.join(' ')}`;
}

/** For the shell that git hands GIT_SSH_COMMAND to. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

import { z } from 'zod';
import { count } from '../quantity.ts';
import { remoteUrlFault } from '../remote-url.ts';
import type { Secret } from '../secret-reference.ts';
import { evenBesideOtherFaults, filePath, type Meaning, secretReference } from './meaning.ts';

const hostName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, {
    error:
      'must be of lower-case letters, digits, dots, dashes and underscores, at most 63, for example acme or git.acme.example',
  })
  .describe(
    'How places name this host: name/owner/repository. Rules and audit use it; renaming it makes its repositories new ones.',
  );

const folderHost = z.strictObject({
  kind: z
    .literal('folder')
    .describe('Repositories that lie in folders of this machine; read where they are.'),
  name: hostName,
  folders: z
    .array(filePath())
    .min(1)
    .max(1000)
    .describe(
      'Folders to look into for git repositories, bare ones and worktrees too. Relative ones start at this file.',
    ),
  depthMax: count(6, { least: 0, most: 32 }).describe(
    'How many folders deep repositories are looked for. 0 takes only the named folders themselves.',
  ),
});

const gitHost = z
  .strictObject({
    kind: z.literal('git').describe('A list of repositories on any git server; mirrored.'),
    name: hostName,
    urls: z
      .array(z.string().max(2048))
      .min(1)
      .max(10_000)
      .describe(
        'One https or ssh URL for each repository (git@host:owner/name is ssh too), without user name or password for https.',
      ),
    username: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .describe(
        'User name that goes with the secret: GitLab wants oauth2, Bitbucket x-token-auth. Default: x-access-token for https; for ssh that of the URL, else git.',
      ),
    secret: secretReference()
      .optional()
      .describe(
        'Where the token or password of a read-only bot is: env:NAME, file:/path or exec:command args. Without it, repositories are read without a credential.',
      ),
    sshKeyFile: filePath().optional().describe('Private key for ssh URLs.'),
    sshKnownHostsFile: filePath()
      .optional()
      .describe('Known host keys for ssh URLs; a server that is not in it is refused.'),
    caFile: filePath()
      .optional()
      .describe('Certificates (PEM) trusted for https besides those of the system.'),
    proxy: z
      .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
      .refine(holdsNoUserInfo, { error: 'must not hold a user name or password' })
      .optional()
      .describe('HTTP proxy on the way to this host, for example http://proxy.acme.example:3128.'),
    allowInsecureHttp: z
      .boolean()
      .default(false)
      .describe(
        'Whether plain http URLs and loopback addresses are taken. Credentials then travel unencrypted.',
      ),
  })
  .superRefine(checkUrls, { when: evenBesideOtherFaults });

export const hostsPart = z
  .array(z.discriminatedUnion('kind', [folderHost, gitHost]))
  .max(1000)
  .superRefine(checkNames, { when: evenBesideOtherFaults })
  .default([]);

const seenUrls = z.object({
  urls: z.array(z.unknown()).catch([]),
  secret: z.unknown().optional(),
  allowInsecureHttp: z.unknown().optional(),
});

function checkUrls(written: unknown, context: z.RefinementCtx): void {
  const host = seenUrls.safeParse(written).data;
  if (!host) return;
  const origins = new Set<string>();
  host.urls.forEach((url, index) => {
    if (typeof url !== 'string') return;
    const fault = remoteUrlFault(url, { allowInsecureHttp: host.allowInsecureHttp === true });
    if (fault) context.addIssue({ code: 'custom', path: ['urls', index], message: fault });
    else if (/^https?:/.test(url)) origins.add(new URL(url).origin);
  });
  if (host.secret !== undefined && origins.size > 1) {
    const message = `name ${origins.size} servers, and one secret must not go to several: make a host of each`;
    context.addIssue({ code: 'custom', path: ['urls'], message });
  }
}

const seenNames = z.array(z.object({ name: z.string() }).catch({ name: '' })).catch([]);

function checkNames(written: unknown, context: z.RefinementCtx): void {
  const seen = new Set<string>();
  seenNames.parse(written).forEach(({ name }, index) => {
    if (name !== '' && seen.has(name)) {
      context.addIssue({ code: 'custom', path: [index, 'name'], message: 'is the name of another host too' });
    }
    seen.add(name);
  });
}

/** hosts' HostOptions. */
export type HostConfig =
  | { kind: 'folder'; name: string; folders: readonly string[]; depthMax: number }
  | {
      kind: 'git';
      name: string;
      urls: readonly string[];
      username: string | null;
      secret: Secret | null;
      sshKeyFile: string | null;
      sshKnownHostsFile: string | null;
      caFile: string | null;
      proxy: string | null;
      allowInsecureHttp: boolean;
    };

export function hostsConfig(written: z.output<typeof hostsPart>, meaning: Meaning): HostConfig[] {
  const file = (given: string | undefined) => (given === undefined ? null : meaning.path(given));
  return written.map((host) => {
    if (host.kind === 'folder') return { ...host, folders: host.folders.map(meaning.path) };
    return {
      kind: host.kind,
      name: host.name,
      urls: host.urls,
      username: host.username ?? null,
      secret: host.secret === undefined ? null : meaning.secret(host.secret),
      sshKeyFile: file(host.sshKeyFile),
      sshKnownHostsFile: file(host.sshKnownHostsFile),
      caFile: file(host.caFile),
      proxy: host.proxy ?? null,
      allowInsecureHttp: host.allowInsecureHttp,
    };
  });
}

function holdsNoUserInfo(url: string): boolean {
  return !URL.canParse(url) || (new URL(url).username === '' && new URL(url).password === '');
}

import type { Command } from 'commander';
import type { Scope, TokenSummary } from '../../access/index.ts';
import type { Administration } from '../../app/index.ts';
import { reportFailure } from '../exit-codes.ts';
import { requireOwnMachine } from '../machine-only.ts';
import { repeatableOption } from '../repeatable-option.ts';
import { addGlobalOptions, configOf, type GlobalOptions } from '../settings.ts';
import { wholeNumber } from '../whole-number.ts';

/** Those that open something so far. */
const scopes: readonly Scope[] = ['read', 'admin'];
const DAY_MS = 24 * 60 * 60 * 1000;

interface CreateOptions extends GlobalOptions {
  label?: string;
  service?: boolean;
  group?: string[];
  scope?: Scope[];
  external?: boolean;
  days?: number;
  json?: boolean;
}

/** Works on the data folder itself, so it needs no running server; a running one sees the change on the next call. */
export function addTokenCommand(program: Command): void {
  const token = program.command('token').description('Create, list and revoke access tokens.');
  addGlobalOptions(token.command('create'))
    .description('Create a token and print it, this once.')
    .argument('<subject>', 'whose it is: a name that access rules know')
    .option('--label <text>', 'what it is for (default: for SUBJECT)')
    .option('--service', 'the subject is a service, not a person')
    .addOption(repeatableOption('--group <name>', 'a group that it carries', { commaSeparated: true }))
    .addOption(
      repeatableOption('--scope <scope>', 'what it may do, default read', {
        choices: scopes,
        commaSeparated: true,
      }),
    )
    .option('--external', 'its agent runs on an external model: bounded slices, no whole files')
    .option('--days <number>', 'days until it expires (default 90, 0 is never)', wholeNumber, 90)
    .option('--json', 'as JSON')
    .action((subject: string, options: CreateOptions) =>
      administer(options, (admin) => create(subject, options, admin)),
    );
  addGlobalOptions(token.command('list'))
    .description('List tokens; the tokens themselves are stored nowhere.')
    .option('--json', 'as JSON')
    .action((options: CreateOptions) =>
      administer(options, async ({ tokens }) => {
        const all = await tokens.list();
        process.stdout.write(options.json ? `${JSON.stringify(all)}\n` : all.map(line).join(''));
      }),
    );
  addGlobalOptions(token.command('revoke'))
    .description('Revoke a token, from its next call on.')
    .argument('<id>', 'as token list shows it')
    .action((id: string, options: GlobalOptions) =>
      administer(options, async ({ tokens, caller }) => {
        await tokens.revoke(id, caller);
        process.stdout.write(`Revoked ${id}.\n`);
      }),
    );
}

async function create(
  subject: string,
  options: CreateOptions,
  { tokens, caller }: Administration,
): Promise<void> {
  const { token, summary } = await tokens.create(
    {
      label: options.label ?? `for ${subject}`,
      subject: { kind: options.service ? 'service' : 'person', name: subject },
      groups: options.group ?? [],
      scopes: options.scope ?? ['read'],
      destination: options.external ? 'external' : 'local',
      expiresMs: options.days ? Date.now() + options.days * DAY_MS : null,
    },
    caller,
  );
  // The token alone on standard output, so that it can be piped; the rest is for eyes.
  process.stdout.write(options.json ? `${JSON.stringify({ token, ...summary })}\n` : `${token}\n`);
  if (!options.json) process.stderr.write(`Created ${line(summary)}It is not shown again.\n`);
}

export async function administer(
  options: GlobalOptions,
  work: (administration: Administration) => Promise<void>,
): Promise<void> {
  try {
    requireOwnMachine(process.env);
    const { openAdministration } = await import('../../app/index.ts');
    const administration = await openAdministration(await configOf(options));
    try {
      await work(administration);
    } finally {
      await administration.close();
    }
  } catch (fault) {
    reportFailure(fault, false);
  }
}

function line(token: TokenSummary): string {
  const state =
    token.revokedMs !== null
      ? `revoked ${day(token.revokedMs)}`
      : token.expiresMs === null
        ? 'never expires'
        : `${token.expiresMs < Date.now() ? 'expired' : 'expires'} ${day(token.expiresMs)}`;
  const used = token.lastUsedMs === null ? 'never used' : `last used ${day(token.lastUsedMs)}`;
  const groups = token.groups.length > 0 ? `  groups ${token.groups.join(',')}` : '';
  return `${token.id}  ${token.subject.kind} ${token.subject.name}${groups}  ${token.scopes.join(',')}  ${token.destination}  ${state}  ${used}  ${token.label}\n`;
}

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

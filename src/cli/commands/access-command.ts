import type { Command } from 'commander';
import { auditLine } from '../audit-line.ts';
import { exitCodes } from '../exit-codes.ts';
import { runningServer } from '../running-server.ts';
import { addGlobalOptions, configOf, type GlobalOptions } from '../settings.ts';
import { wholeNumber } from '../whole-number.ts';
import { administer } from './token-command.ts';

export function addAccessCommand(program: Command): void {
  const access = program.command('access').description('Who may see what, and why.');
  addGlobalOptions(access.command('explain'))
    .description(
      'Say whether WHO may see REPO, and by which rule. Of a name, its live tokens are looked at too: they may carry groups. Only repositories of the hosts that the running server has count, or else of those in the config.',
    )
    .argument('<who>', 'a name that access rules know, or the id of a token')
    .argument('<repo>', 'owner/name, or host/owner/name')
    .action((who: string, repo: string, options: GlobalOptions) =>
      administer(options, async ({ explain }) => {
        const config = await configOf(options);
        const server = await runningServer(config);
        const { hostsOfConfig } = await import('../../app/index.ts');
        const hosts = server ? (await server.about()).hosts : hostsOfConfig(config);
        const { allowed, reason, repository, tokens } = await explain(who, repo, hosts);
        const by = tokens.length === 0 ? '' : ` with token ${tokens.join(' or ')}`;
        process.stdout.write(`${allowed ? 'yes' : 'no'}${by}: ${reason} (${repository})\n`);
        process.exitCode = allowed ? exitCodes.found : exitCodes.nothingFound;
      }),
    );
  addGlobalOptions(access.command('audit'))
    .description('Show who asked what, newest first.')
    .option('--limit <number>', 'entries', wholeNumber, 50)
    .option('--subject <name>', 'of this subject alone')
    .option('--json', 'as JSON lines')
    .action((options: GlobalOptions & { limit: number; subject?: string; json?: boolean }) =>
      administer(options, async ({ audit }) => {
        const entries = await audit.list({
          limit: options.limit,
          ...(options.subject ? { subject: options.subject } : {}),
        });
        for (const entry of entries)
          process.stdout.write(`${options.json ? JSON.stringify(entry) : auditLine(entry)}\n`);
        if (entries.length > 0) return;
        process.stderr.write('The audit has no such entry.\n');
        process.exitCode = exitCodes.nothingFound;
      }),
    );
}

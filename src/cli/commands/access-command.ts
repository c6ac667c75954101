import type { Command } from 'commander';
import { exitCodes } from '../exit-codes.ts';
import { addGlobalOptions, type GlobalOptions } from '../settings.ts';
import { administer } from './token-command.ts';

export function addAccessCommand(program: Command): void {
  const access = program.command('access').description('Who may see what, and why.');
  addGlobalOptions(access.command('explain'))
    .description('Say whether WHO may see REPO, and by which rule.')
    .argument('<who>', 'a name that access rules know, or the id of a token')
    .argument('<repo>', 'owner/name, or host/owner/name')
    .action((who: string, repo: string, options: GlobalOptions) =>
      administer(options, async ({ explain }) => {
        const { allowed, reason } = await explain(who, repo);
        process.stdout.write(`${allowed ? 'yes' : 'no'}: ${reason}\n`);
        process.exitCode = allowed ? exitCodes.found : exitCodes.nothingFound;
      }),
    );
  addGlobalOptions(access.command('audit'))
    .description('Show who asked what, newest first.')
    .option('--limit <number>', 'entries', '50')
    .option('--subject <name>', 'of this subject alone')
    .option('--json', 'as JSON lines')
    .action((options: GlobalOptions & { limit: string; subject?: string; json?: boolean }) =>
      administer(options, async ({ audit }) => {
        const limit = Number(options.limit);
        for (const entry of await audit.list({
          limit,
          ...(options.subject ? { subject: options.subject } : {}),
        })) {
          const { atMs, subject, onBehalfOf, operation, repositories, outcome } = entry;
          const text = `${new Date(atMs).toISOString()}  ${subject}${onBehalfOf ? ` for ${onBehalfOf}` : ''}  ${operation}  ${repositories.join(',')}  ${outcome}`;
          process.stdout.write(`${options.json ? JSON.stringify(entry) : text}\n`);
        }
      }),
    );
}

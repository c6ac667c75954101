import type { Command } from 'commander';
import type { Discovery } from '../../app/index.ts';
import type { Config } from '../../config/index.ts';
import { exitCodes, reportFailure } from '../exit-codes.ts';
import { requireOwnMachine } from '../machine-only.ts';
import { nothingToOpen } from '../open-session.ts';
import { withProgress } from '../progress.ts';
import { runningServer } from '../running-server.ts';
import { addGlobalOptions, configOf, type GlobalOptions } from '../settings.ts';

export function addDiscoverCommand(program: Command): void {
  addGlobalOptions(program.command('discover'))
    .summary('Look for new repositories now')
    .description(
      'Ask every host now for its repositories, and print what changed. A server does it by itself every catalog.discoveryInterval (5 minutes). Asks the running server, or else the hosts of the config.',
    )
    .option('--json', 'as JSON')
    .action(async (options: GlobalOptions & { json?: boolean }) => {
      try {
        requireOwnMachine(process.env);
        const discovery = await withProgress('asking hosts', discover(await configOf(options)));
        process.stdout.write(options.json ? `${JSON.stringify(discovery)}\n` : shown(discovery));
        if (discovery.problems.length > 0) process.exitCode = exitCodes.failed;
      } catch (fault) {
        reportFailure(fault, options.json ?? false);
      }
    });
}

async function discover(config: Config): Promise<Discovery> {
  const server = await runningServer(config);
  if (server) return server.discover();
  if (config.hosts.length === 0) throw nothingToOpen(config.dataFolder.folder);
  const { createApp } = await import('../../app/index.ts');
  const app = await createApp(config, { discoverAtStart: false, background: false });
  try {
    return await app.discover(new AbortController().signal);
  } finally {
    await app.close();
  }
}

function shown({ repositories, added, gone, renamed, problems }: Discovery): string {
  const changes = [
    ...added.map((name) => `new: ${name}`),
    ...renamed.map(({ from, to }) => `renamed: ${from} is now ${to}`),
    ...gone.map((name) => `gone: ${name}`),
  ];
  const served = `${repositories} ${repositories === 1 ? 'repository' : 'repositories'}`;
  const lines = [`${served}${changes.length === 0 ? ', nothing changed' : ''}.`, ...changes, ...problems];
  return lines.map((line) => `${line}\n`).join('');
}

import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { App } from '../../app/index.ts';
import type { Config, Role } from '../../config/index.ts';
import { announced } from '../announced.ts';
import { reportFailure } from '../exit-codes.ts';
import { ownCommand, shellWords } from '../own-command.ts';
import { pasteFacts, pasteLines } from '../paste-lines.ts';
import { withProgress } from '../progress.ts';
import { repeatableOption } from '../repeatable-option.ts';
import { addGlobalOptions, configOf, type GlobalOptions } from '../settings.ts';
import { styled } from '../style.ts';

interface UpOptions extends GlobalOptions {
  host?: string;
  port?: number;
  role?: Role[];
}

export function addUpCommand(program: Command): void {
  addGlobalOptions(program.command('up'))
    .summary('Serve repositories')
    .description(
      'Serve every git repository below the given folders (bare ones and worktrees too), and the hosts of the config, over HTTP and MCP. Prints the URL and what to paste into MCP clients. Not looked into are folders more than 6 levels down, symbolic links, node_modules and folders whose name begins with a dot: name such a folder itself.',
    )
    .argument('[folders...]', 'folders of repositories, read in place')
    .option('--host <address>', 'address to listen on (default 127.0.0.1)')
    .option('--port <port>', 'port to listen on, 0 for a free one (default 7117)', portOf)
    .addOption(
      repeatableOption('--role <role>', 'what this process does, default all of it', {
        choices: announced.roles,
        commaSeparated: true,
      }),
    )
    .action(async (folders: string[], options: UpOptions) => {
      try {
        await up(folders, options);
      } catch (fault) {
        reportFailure(fault, false);
      }
    });
}

async function up(folders: string[], options: UpOptions): Promise<void> {
  const config = await configOf(options, {
    ...(folders.length > 0 ? { folders } : {}),
    ...(options.host ? { listenHost: options.host } : {}),
    ...(options.port === undefined ? {} : { listenPort: options.port }),
    ...(options.role ? { roles: options.role } : {}),
  });
  const { createApp, createLogger } = await import('../../app/index.ts');
  const logger = createLogger(config.log);
  // One call that goes wrong in a way that nobody foresaw must not end everybody else's.
  process.on('unhandledRejection', (fault) => logger.error('a fault that nobody waited for', { fault }));
  const answers = config.roles.includes('web');
  // A server asks the hosts when it knows that it is the only one here.
  const starting = createApp(config, { discoverAtStart: !answers, background: true, logger });
  const app = await withProgress('looking for repositories', starting);
  const stop = new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  try {
    const started = answers
      ? withProgress('looking for repositories', serve(app, config))
      : tellRoles(config);
    // Ended while it starts: closing is what makes the start fail, and nobody wants to hear of it.
    started.catch(() => {});
    await Promise.race([started.then(() => stop), stop]);
  } finally {
    await app.close();
  }
}

async function serve(app: App, config: Config): Promise<void> {
  const { url } = await app.serve();
  process.stdout.write(banner(app, config, url, await operatorToken(app, config.dataFolder.token)));
}

async function tellRoles({ roles: own }: Config): Promise<void> {
  process.stdout.write(`Periscope runs as ${own.join(' and ')}; another process answers.\n`);
}

/** Keeps the token of an earlier start while it lives; writes a new one else. */
async function operatorToken(app: App, file: string): Promise<string> {
  const known = await readFile(file, 'utf8').catch(() => '');
  const lives =
    known !== '' &&
    (await app.tokens.authenticate(known.trim()).then(
      () => true,
      () => false,
    ));
  if (!lives) {
    const { token } = await app.tokens.create(
      {
        label: 'written by periscope up',
        subject: { kind: 'person', name: 'operator' },
        groups: [],
        scopes: ['read', 'admin'],
        destination: 'local',
        expiresMs: null,
      },
      app.localCaller(),
    );
    await writeFile(file, `${token}\n`, { mode: 0o600 });
  }
  await chmod(file, 0o600);
  return path.resolve(file);
}

function banner(app: App, config: Config, url: string, tokenFile: string): string {
  const out = process.stdout;
  const command = ownCommand();
  const count = app.catalog.repositories().length;
  const lines = [
    `${styled('bold', `Periscope serves ${count} ${count === 1 ? 'repository' : 'repositories'} at ${url}`, out)}`,
    `Token: ${tokenFile} (readable by you alone)`,
  ];
  for (const status of app.catalog.hosts()) {
    if (status.problem) lines.push(styled('yellow', `${status.host}: ${status.problem}`, out));
    for (const { what, why, next } of status.problems)
      lines.push(styled('yellow', `Left out: ${what}: ${why} ${next}`, out));
  }
  if (count === 0) lines.push(styled('yellow', nextForNothing(config, shellWords(command)), out));
  lines.push(
    '',
    `Paste into an MCP client (others: ${shellWords([...command, 'mcp', 'config'])} CLIENT):`,
    pasteLines('claude-code', pasteFacts(config, url)).text,
    '',
  );
  return `${lines.join('\n')}\n`;
}

function nextForNothing({ hosts, dataFolder }: Config, command: string): string {
  return hosts.length === 0
    ? `Nothing to serve yet: stop this and give folders (${command} up FOLDER...), or write hosts into ${dataFolder.config}.`
    : `No repository was found. Not looked into are folders more than 6 levels down, symbolic links, node_modules and folders whose name begins with a dot: name such a folder itself. Then look again: ${command} discover`;
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('A port from 0 to 65535 is expected.');
  return port;
}

import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { App } from '../../app/index.ts';
import { roles } from '../../config/index.ts';
import { reportFailure } from '../exit-codes.ts';
import { pasteLines } from '../paste-lines.ts';
import { withProgress } from '../progress.ts';
import { addGlobalOptions, configOf, type GlobalOptions } from '../settings.ts';
import { styled } from '../style.ts';

interface UpOptions extends GlobalOptions {
  host?: string;
  port?: number;
  role?: (typeof roles)[number][];
}

export function addUpCommand(program: Command): void {
  addGlobalOptions(program.command('up'))
    .summary('Serve repositories')
    .description(
      'Serve every git repository below the given folders (bare ones and worktrees too), and the hosts of the config, over HTTP and MCP. Prints the URL and what to paste into MCP clients.',
    )
    .argument('[folders...]', 'folders of repositories, read in place')
    .option('--host <address>', 'address to listen on (default 127.0.0.1)')
    .option('--port <port>', 'port to listen on, 0 for a free one (default 7117)', portOf)
    .addOption(
      new Option('--role <role...>', 'what this process does (default: all of it)').choices([...roles]),
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
  const { createApp } = await import('../../app/index.ts');
  const started = createApp(config, { discoverAtStart: true, background: true });
  const app = await withProgress('looking for repositories', started);
  const stop = new Promise<NodeJS.Signals>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  try {
    if (config.roles.includes('web')) {
      const { url } = await app.serve();
      process.stdout.write(banner(app, url, await operatorToken(app, config.dataFolder.token)));
    } else {
      process.stdout.write(`Periscope runs as ${config.roles.join(' and ')}; another process answers.\n`);
    }
    await stop;
  } finally {
    await app.close();
  }
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

function banner(app: App, url: string, tokenFile: string): string {
  const out = process.stdout;
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
  lines.push(
    '',
    'Paste into an MCP client (others: periscope mcp config CLIENT):',
    pasteLines('claude-code', { url, tokenFile }),
    '',
  );
  return `${lines.join('\n')}\n`;
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('A port from 0 to 65535 is expected.');
  return port;
}

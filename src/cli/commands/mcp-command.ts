import { Argument, type Command } from 'commander';
import { periscopeVersion } from '../../base/version.ts';
import type { Config } from '../../config/index.ts';
import { reportFailure } from '../exit-codes.ts';
import { openSession } from '../open-session.ts';
import { ownCommand, shellWords } from '../own-command.ts';
import { type PasteClient, pasteClients, pasteFacts, pasteLines } from '../paste-lines.ts';
import { runningServer } from '../running-server.ts';
import { addGlobalOptions, configOf, type GlobalOptions } from '../settings.ts';

export function addMcpCommand(program: Command): void {
  const mcp = addGlobalOptions(program.command('mcp'))
    .summary('Serve MCP over standard input and output')
    .description(
      'Serve one MCP client over standard input and output. Asks the server of the data folder when one runs, else opens the hosts of its config here. PERISCOPE_TOKEN in the environment narrows what is seen to that token; with PERISCOPE_URL the server there is asked.',
    )
    .action(async (options: GlobalOptions) => {
      try {
        await serveStdio(options);
      } catch (fault) {
        reportFailure(fault, false);
      }
    });
  addGlobalOptions(mcp.command('config'))
    .description(
      'Print what to paste into an MCP client, with the address of the running server. Where to paste it goes to standard error.',
    )
    .addArgument(new Argument('<client>', 'which client').choices(pasteClients))
    .action(async (client: PasteClient, _options: unknown, command: Command) => {
      try {
        const config = await configOf(command.optsWithGlobals<GlobalOptions>());
        const running = await (await runningServer(config))?.about();
        if (!running?.url && client !== 'stdio') {
          process.stderr.write(
            `No server runs on ${config.dataFolder.folder}: this is the address of the config. Start it with: ${shellWords([...ownCommand(), 'up'])} FOLDER...\n`,
          );
        }
        const facts = pasteFacts(config, running?.url ?? urlOfConfig(config));
        const { where, text } = pasteLines(client, facts);
        if (where) process.stderr.write(`For ${where}:\n`);
        process.stdout.write(`${text}\n`);
      } catch (fault) {
        reportFailure(fault, false);
      }
    });
}

function urlOfConfig({ http: { publicUrl, listen } }: Config): string {
  return publicUrl ?? `http://${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${listen.port}`;
}

async function serveStdio(options: GlobalOptions): Promise<void> {
  const { createLogger } = await import('../../app/index.ts');
  const { serveMcpStdio } = await import('../../mcp/index.ts');
  const { isOperation } = await import('../../operations/index.ts');
  const config = await configOf(options);
  const session = await openSession(config, process.env);
  try {
    const handle = serveMcpStdio(
      { version: periscopeVersion },
      {
        // A running server is known by its tools' own names alone: agents use others, too.
        operations: { ...session.operations, knows: isOperation },
        logger: createLogger(config.log),
        authenticate: session.authenticate,
      },
      { stdin: process.stdin, stdout: process.stdout },
    );
    process.once('SIGTERM', () => void handle.close());
    process.once('SIGINT', () => void handle.close());
    await handle.closed;
  } finally {
    await session.close();
  }
}

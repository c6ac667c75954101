import { Argument, type Command } from 'commander';
import { periscopeVersion } from '../../base/version.ts';
import { reportFailure } from '../exit-codes.ts';
import { openSession } from '../open-session.ts';
import { type PasteClient, pasteClients, pasteLines } from '../paste-lines.ts';
import { addGlobalOptions, configOf, type GlobalOptions } from '../settings.ts';

export function addMcpCommand(program: Command): void {
  const mcp = addGlobalOptions(program.command('mcp'))
    .summary('Serve MCP over standard input and output')
    .description(
      'Serve one MCP client over standard input and output. Asks the server of the data folder when one runs, else opens the folder itself. PERISCOPE_TOKEN in the environment narrows what is seen to that token; with PERISCOPE_URL the server there is asked.',
    )
    .action(async (options: GlobalOptions) => {
      try {
        await serveStdio(options);
      } catch (fault) {
        reportFailure(fault, false);
      }
    });
  addGlobalOptions(mcp.command('config'))
    .description('Print what to paste into an MCP client.')
    .addArgument(new Argument('<client>', 'which client').choices(pasteClients))
    .action(async (client: PasteClient, _options: unknown, command: Command) => {
      try {
        const config = await configOf(command.optsWithGlobals<GlobalOptions>());
        const { host, port } = config.http.listen;
        const url = config.http.publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
        process.stdout.write(`${pasteLines(client, { url, tokenFile: config.dataFolder.token })}\n`);
      } catch (fault) {
        reportFailure(fault, false);
      }
    });
}

async function serveStdio(options: GlobalOptions): Promise<void> {
  const { createLogger } = await import('../../app/index.ts');
  const { serveMcpStdio } = await import('../../mcp/index.ts');
  const config = await configOf(options);
  const session = await openSession(config, process.env);
  try {
    const handle = serveMcpStdio(
      { version: periscopeVersion },
      {
        operations: session.operations,
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

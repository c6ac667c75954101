import type { Command } from 'commander';
import type { IndexingProgress } from '../../indexing/index.ts';
import { exitCodes, reportFailure } from '../exit-codes.ts';
import { requireOwnMachine } from '../machine-only.ts';
import { nothingToOpen } from '../open-session.ts';
import { addGlobalOptions, configOf, type GlobalOptions } from '../settings.ts';

interface IndexOptions extends GlobalOptions {
  once: true;
  textOnly?: boolean;
  json?: boolean;
}

export function addIndexCommand(program: Command): void {
  addGlobalOptions(program.command('index'))
    .summary('Index every repository once')
    .description(
      'Bring the index of every repository up to date, and end. A running server does it by itself; this is for a machine that only indexes, or for a schedule. Of several processes that share an index folder one writes at a time: while another does, this one says so and ends.',
    )
    .argument('[folders...]', 'folders of repositories, read in place')
    .requiredOption('--once', 'index what there is now, then end')
    .option(
      '--text-only',
      'leave symbols to another run: text is searchable, there is no graph of what is new',
    )
    .option('--json', 'the result as JSON')
    .action(async (folders: string[], options: IndexOptions) => {
      try {
        requireOwnMachine(process.env);
        await indexOnce(folders, options);
      } catch (fault) {
        reportFailure(fault, options.json ?? false);
      }
    });
}

async function indexOnce(folders: string[], options: IndexOptions): Promise<void> {
  const config = await configOf(options, folders.length > 0 ? { folders } : {});
  if (config.hosts.length === 0) throw nothingToOpen(config.dataFolder.folder);
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const { createApp } = await import('../../app/index.ts');
  const app = await createApp(config, { discoverAtStart: true, background: false });
  const screen = progressLine(process.stderr);
  try {
    const started = Date.now();
    const progress = await app.indexing.indexAll({
      signal: stopping.signal,
      onProgress: screen.show,
      textOnly: options.textOnly ?? false,
    });
    screen.clear();
    const failed = app.catalog.repositories().flatMap(({ id, name }) => {
      const { problem } = app.indexing.status(id);
      return problem === null ? [] : [{ name, problem }];
    });
    const seconds = Math.round((Date.now() - started) / 100) / 10;
    const { repositoriesTotal, bytesDone } = progress;
    process.stdout.write(
      options.json
        ? `${JSON.stringify({ repositories: repositoriesTotal, bytesRead: bytesDone, seconds, failed })}\n`
        : `${repositoriesTotal} ${repositoriesTotal === 1 ? 'repository' : 'repositories'} indexed in ${seconds} s, ${megabytes(bytesDone)} read.\n`,
    );
    for (const { name, problem } of failed) process.stderr.write(`${name}: ${problem}\n`);
    if (failed.length > 0) process.exitCode = exitCodes.failed;
  } finally {
    screen.clear();
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    await app.close();
  }
}

/** One line that is written over, on a terminal; nothing else sees it. */
function progressLine(stream: NodeJS.WriteStream) {
  let shown = false;
  return {
    show({
      repositoriesDone,
      repositoriesTotal,
      bytesDone,
      bytesPerSecond,
      remainingMs,
      symbols,
    }: IndexingProgress): void {
      if (!stream.isTTY) return;
      shown = true;
      const left =
        remainingMs === null || remainingMs === 0 ? '' : `, about ${Math.ceil(remainingMs / 1000)} s left`;
      const rate = `${megabytes(bytesDone)}, ${megabytes(bytesPerSecond)}/s`;
      const structure =
        symbols === null
          ? ''
          : `, symbols of ${megabytes(symbols.bytesDone)} of ${megabytes(symbols.bytesTotal)}`;
      stream.write(
        `\r\x1b[Kindexing … ${repositoriesDone}/${repositoriesTotal} repositories, ${rate}${left}${structure} `,
      );
    },
    clear(): void {
      if (shown) stream.write('\r\x1b[K');
      shown = false;
    },
  };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}

import type { Command } from 'commander';
import type { ListedTrace } from '../../operations/index.ts';
import { type AskOptions, inSession } from '../ask-tools.ts';
import { exitCodes } from '../exit-codes.ts';
import { addGlobalOptions } from '../settings.ts';
import { traceLines } from '../trace-lines.ts';
import { wholeNumber } from '../whole-number.ts';

interface TracesOptions extends AskOptions {
  limit?: number;
  days?: number;
  account?: string;
  used?: boolean;
}

/** As many as one request gives. */
const PAGE = 1000;
const DAY_MS = 86_400_000;

export function addTracesCommand(program: Command): void {
  const traces = program
    .command('traces')
    .description('Searches by meaning that were kept, and what was used of them. For administrators.');
  narrowing(traces.command('list'))
    .summary('Show kept searches')
    .description(
      'Show kept searches, newest first: the question, and the places that it showed; * marks those that were read or walked from afterwards. A question is kept without credentials and without code.',
    )
    .option('--limit <number>', 'searches', wholeNumber, 20)
    .option('--used', 'only those of which something was used')
    .option('--json', 'as JSON lines, with scores and features')
    .action((options: TracesOptions) =>
      eachTrace(options, ({ ...trace }) => {
        process.stdout.write(options.json ? `${JSON.stringify(trace)}\n` : traceLines(trace));
        return true;
      }),
    );
  narrowing(traces.command('export'))
    .summary('Write labelled pairs')
    .description(
      'Write labelled pairs as JSON lines, one for each search of which something was used: the question, the places that were used, and all that were shown with their scores and features. `periscope eval` reads them. Questions that were not kept whole are left out.',
    )
    .option('--limit <number>', 'searches to look at (default: all)', wholeNumber)
    .action(async (options: TracesOptions) => {
      const { exportedPair } = await import('../../retrieval/index.ts');
      await eachTrace({ ...options, used: true }, (trace) => {
        const pair = exportedPair(trace, (id) => trace.repositories[id] ?? null);
        if (pair) process.stdout.write(`${JSON.stringify(pair)}\n`);
        return pair !== null;
      });
    });
}

function narrowing(command: Command): Command {
  return addGlobalOptions(command)
    .option('--days <number>', 'only searches of so many days', wholeNumber)
    .option('--account <name>', 'only searches of this account');
}

/** Page by page, so that no answer is large. `write` says whether it wrote something. */
function eachTrace(options: TracesOptions, write: (trace: ListedTrace) => boolean): Promise<void> {
  const { limit = Number.MAX_SAFE_INTEGER, days, account, used } = options;
  return inSession(options, async ({ listTraces }, caller) => {
    let written = 0;
    let beforeId: number | null = null;
    for (let left = limit; left > 0; ) {
      const asked = Math.min(left, PAGE);
      const page: readonly ListedTrace[] = await listTraces(
        {
          limit: asked,
          ...(beforeId === null ? {} : { beforeId }),
          ...(days === undefined ? {} : { sinceMs: Date.now() - days * DAY_MS }),
          ...(account === undefined ? {} : { account }),
          ...(used ? { used } : {}),
        },
        caller,
      );
      for (const trace of page) if (write(trace)) written++;
      left -= page.length;
      beforeId = page.at(-1)?.id ?? null;
      if (page.length < asked) break;
    }
    if (written > 0) return;
    process.stderr.write('No such search is kept.\n');
    process.exitCode = exitCodes.nothingFound;
  });
}

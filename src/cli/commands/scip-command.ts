import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { PeriscopeError } from '../../base/errors.ts';
import { type AskOptions, inSession } from '../ask-tools.ts';
import { withProgress } from '../progress.ts';
import { addGlobalOptions } from '../settings.ts';

interface UploadOptions extends AskOptions {
  repo: string;
  commit: string;
  root?: string;
}

export function addScipCommand(program: Command): void {
  const scip = program.command('scip').description("Tell what a repository's own CI knows of its symbols.");
  addGlobalOptions(scip.command('upload'))
    .summary('Upload the SCIP index of a commit')
    .description(
      'Upload the SCIP index that scip-typescript, scip-go or another indexer made of one commit: what it says of a use goes before every guess. It replaces what was uploaded for that commit before, and goes with the commit. The token needs the scope admin.',
    )
    .argument('<file>', 'index.scip as the indexer wrote it')
    .requiredOption('--repo <name>', 'the repository')
    .requiredOption('--commit <id>', 'the whole id of the commit that was indexed')
    .option('--root <folder>', 'folder that the index was made in, where that is not the whole repository')
    .option('--json', 'the result as JSON')
    .action((file: string, options: UploadOptions) =>
      inSession(options, async ({ uploadScip }, caller) => {
        await requireFile(file);
        const { repo, commit, root = '' } = options;
        const body = createReadStream(file);
        const receipt = await withProgress('uploading', uploadScip({ repo, commit, root, body }, caller));
        process.stdout.write(options.json ? `${JSON.stringify(receipt)}\n` : said(receipt));
      }),
    );
}

async function requireFile(file: string): Promise<void> {
  const seen = await stat(file).catch(() => null);
  if (seen?.isFile()) return;
  throw new PeriscopeError(
    'invalid-request',
    'cli/no-such-file',
    `There is no file ${file}.`,
    'Give the index that the indexer wrote: index.scip, unless it was told another name.',
  );
}

type Receipt = Awaited<ReturnType<Parameters<Parameters<typeof inSession>[1]>[0]['uploadScip']>>;

function said({
  repository,
  commit,
  documents,
  occurrences,
  symbols,
  leftOut,
  published,
  maskedNames,
}: Receipt) {
  const lines = [
    `${repository} at ${commit.slice(0, 12)}: ${documents} files, ${occurrences} occurrences of ${symbols} symbols.`,
  ];
  const left = [
    [leftOut.unknownPaths, 'files that the commit does not have or that are opted out'],
    [leftOut.repeatedPaths, 'files that came twice'],
    [leftOut.outsideText, 'occurrences beyond their text'],
    [leftOut.unreadableSymbols, 'occurrences of symbols that cannot be read'],
  ].flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]));
  if (left.length > 0) lines.push(`Left out: ${left.join(', ')}.`);
  if (maskedNames > 0) lines.push(`Masked: ${maskedNames} names that look like credentials.`);
  if (!published) lines.push('The process that writes the index takes it over as soon as it can.');
  return `${lines.join('\n')}\n`;
}

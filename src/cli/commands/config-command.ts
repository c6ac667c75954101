import type { Command } from 'commander';
import { PeriscopeError } from '../../base/errors.ts';
import type { Config, ConfigFault } from '../../config/index.ts';
import { exitCodes, reportFailure } from '../exit-codes.ts';
import { addGlobalOptions, configOf, type GlobalOptions } from '../settings.ts';

export function addConfigCommand(program: Command): void {
  const config = program.command('config').description('The config file.');
  addGlobalOptions(config.command('check'))
    .description(
      'Check the config: every fault at once, whether each secret and each file that it names can be had, and what it means. The meaning goes to standard output, faults and the verdict to standard error; exit code 0 when there is no fault.',
    )
    .action(async (options: GlobalOptions) => {
      try {
        const { checkFiles, checkSecrets, printableConfig } = await import('../../config/index.ts');
        const meant = await configOf(options);
        const files = await checkFiles(meant);
        if (files.length === 0) files.push(...(await weightsFaults(meant)));
        const faults = [...(await checkSecrets(meant)), ...files];
        process.stdout.write(`${JSON.stringify(printableConfig(meant), null, 2)}\n`);
        for (const { key, message } of faults) process.stderr.write(`${key}: ${message}\n`);
        if (faults.length > 0) process.exitCode = exitCodes.failed;
        process.stderr.write(`${verdict(meant, faults.length)}\n`);
      } catch (fault) {
        reportFailure(fault, false);
      }
    });
}

async function weightsFaults({ retrieval: { weightsFile } }: Config): Promise<ConfigFault[]> {
  if (weightsFile === null) return [];
  const { readWeights } = await import('../../retrieval/index.ts');
  try {
    readWeights(weightsFile);
    return [];
  } catch (fault) {
    if (!(fault instanceof PeriscopeError)) throw fault;
    return [{ key: 'retrieval.weightsFile', line: null, message: fault.message }];
  }
}

function verdict({ file, dataFolder }: Config, faults: number): string {
  if (faults > 0)
    return `Not in order: ${faults === 1 ? 'one thing' : `${faults} things`} cannot be had or used.`;
  return file
    ? `In order: ${file} has no fault.`
    : `In order: there is no config file (${dataFolder.config}), so every default holds.`;
}

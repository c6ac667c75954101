import type { Command } from 'commander';
import { type Config, checkSecrets, printableConfig } from '../../config/index.ts';
import { exitCodes, reportFailure } from '../exit-codes.ts';
import { addGlobalOptions, configOf, type GlobalOptions } from '../settings.ts';

export function addConfigCommand(program: Command): void {
  const config = program.command('config').description('The config file.');
  addGlobalOptions(config.command('check'))
    .description(
      'Check the config: every fault at once, whether each secret can be had, and what it means. The meaning goes to standard output, faults and the verdict to standard error; exit code 0 when there is no fault.',
    )
    .action(async (options: GlobalOptions) => {
      try {
        const meant = await configOf(options);
        const faults = await checkSecrets(meant);
        process.stdout.write(`${JSON.stringify(printableConfig(meant), null, 2)}\n`);
        for (const { key, message } of faults) process.stderr.write(`${key}: ${message}\n`);
        if (faults.length > 0) process.exitCode = exitCodes.failed;
        process.stderr.write(`${verdict(meant, faults.length)}\n`);
      } catch (fault) {
        reportFailure(fault, false);
      }
    });
}

function verdict({ file, dataFolder }: Config, faults: number): string {
  if (faults > 0) return `Not in order: ${faults === 1 ? 'one secret' : `${faults} secrets`} cannot be had.`;
  return file
    ? `In order: ${file} has no fault.`
    : `In order: there is no config file (${dataFolder.config}), so every default holds.`;
}

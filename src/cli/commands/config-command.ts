import type { Command } from 'commander';
import { checkSecrets, printableConfig } from '../../config/index.ts';
import { exitCodes, reportFailure } from '../exit-codes.ts';
import { addGlobalOptions, configOf, type GlobalOptions } from '../settings.ts';

export function addConfigCommand(program: Command): void {
  const config = program.command('config').description('The config file.');
  addGlobalOptions(config.command('check'))
    .description(
      'Check the config: every fault at once, then whether each secret can be had, then what it means.',
    )
    .action(async (options: GlobalOptions) => {
      try {
        const meant = await configOf(options);
        const faults = await checkSecrets(meant);
        for (const { key, message } of faults) process.stderr.write(`${key}: ${message}\n`);
        if (faults.length > 0) process.exitCode = exitCodes.failed;
        process.stdout.write(`${JSON.stringify(printableConfig(meant), null, 2)}\n`);
        process.stderr.write(meant.file ? `${meant.file} is read.\n` : 'No config file: defaults.\n');
      } catch (fault) {
        reportFailure(fault, false);
      }
    });
}

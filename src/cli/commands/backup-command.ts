import path from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { asPeriscopeError } from '../../base/errors.ts';
import { reportFailure } from '../exit-codes.ts';
import { requireOwnMachine } from '../machine-only.ts';
import { addGlobalOptions, configOf, type GlobalOptions } from '../settings.ts';
import { administer } from './token-command.ts';

export function addBackupCommands(program: Command): void {
  addGlobalOptions(program.command('backup'))
    .description(
      'Write a consistent copy of tokens, catalog, jobs and audit to FILE, while everything goes on. Mirrors are not in it: they are fetched again.',
    )
    .argument('<file>', 'must not exist yet')
    .action((file: string, options: GlobalOptions) =>
      administer(options, async ({ storage, recordNow }) => {
        const detail = { file: path.resolve(file) };
        try {
          await storage.backup(file);
        } catch (fault) {
          await recordNow('backup', asPeriscopeError(fault).code, detail);
          throw fault;
        }
        await recordNow('backup', 'ok', detail);
        process.stdout.write(`Wrote ${file}.\n`);
      }),
    );
  addGlobalOptions(program.command('restore'))
    .description('Put a backup in the place of the database. A running server sees it at once.')
    .argument('<file>', 'as periscope backup wrote it')
    .option('--overwrite', 'what is there now is given up')
    .action(async (file: string, options: GlobalOptions & { overwrite?: boolean }) => {
      try {
        requireOwnMachine(process.env);
        const config = await configOf(options);
        const { createLogger, storageOptions } = await import('../../app/index.ts');
        const { restoreStorage } = await import('../../storage/index.ts');
        await restoreStorage(
          await storageOptions(config),
          file,
          { overwrite: options.overwrite ?? false },
          { clock: systemClock, logger: createLogger(config.log) },
        );
        // Into the audit that is there from now on: the one before is given up.
        await administer(options, ({ recordNow }) =>
          recordNow('restore', 'ok', { file: path.resolve(file) }),
        );
        process.stdout.write(`Restored ${file}.\n`);
      } catch (fault) {
        reportFailure(fault, false);
      }
    });
}

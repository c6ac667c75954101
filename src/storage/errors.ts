import { PeriscopeError } from '../base/errors.ts';

/** The database stayed taken by others for as long as we were ready to wait. */
export const busy = (cause?: unknown) =>
  new PeriscopeError(
    'busy',
    'storage/busy',
    'The database is busy.',
    'Wait a moment and call the same again.',
    { cause },
  );

/** The database gave up one of two that stood in each other's way; `Storage.transaction` tries again by itself. */
export const aborted = (cause: unknown) =>
  new PeriscopeError(
    'busy',
    'storage/aborted',
    'The database gave this change up in favour of another at the same time.',
    'Call the same again.',
    { cause },
  );

export const unavailable = (reason: string, cause?: unknown) =>
  new PeriscopeError(
    'unavailable',
    'storage/unavailable',
    `The database cannot be used: ${reason}.`,
    'The operator has to see to the database; then call the same again.',
    { cause },
  );

export const timedOut = (cause: unknown) =>
  new PeriscopeError(
    'timeout',
    'storage/timeout',
    'The database did not answer in time.',
    'Wait a moment and call the same again.',
    { cause },
  );

export const closed = () =>
  new PeriscopeError(
    'unavailable',
    'storage/closed',
    'The database has been closed: Periscope is stopping.',
    'Call again when Periscope runs.',
  );

export const corrupt = (file: string, cause?: unknown) =>
  new PeriscopeError(
    'conflict',
    'storage/corrupt',
    `${file} is damaged or is no database of Periscope.`,
    'Restore a backup with `periscope restore FILE --overwrite`, or move the file away to start empty.',
    { cause },
  );

export const newerSchema = (place: string, found: number, known: number, backup: string | null) =>
  new PeriscopeError(
    'conflict',
    'storage/newer-schema',
    `${place} was written by a newer Periscope: its schema is ${found}, this version knows up to ${known}.`,
    backup === null
      ? 'Install the version that wrote it, or restore a backup from before its upgrade.'
      : `Install the version that wrote it, or go back with \`periscope restore ${backup} --overwrite\`.`,
    { data: { found, known } },
  );

export const networkFolder = (folder: string) =>
  new PeriscopeError(
    'conflict',
    'storage/network-folder',
    `${folder} is on a network file system, where SQLite's locks cannot be trusted.`,
    'Put the data folder on a local disk, or configure PostgreSQL.',
  );

export const backupExists = (target: string) =>
  new PeriscopeError(
    'conflict',
    'storage/backup-exists',
    `${target} is there already.`,
    'Give the backup a new name, or remove the old one first.',
  );

export const backupNotWritten = (target: string, cause: unknown) =>
  new PeriscopeError(
    'unavailable',
    'storage/backup-not-written',
    `The backup could not be written to ${target}: ${cause instanceof Error ? cause.message : String(cause)}.`,
    'Give a file in a folder that Periscope may write to and that has room.',
    { cause },
  );

export const notABackup = (file: string, reason: string, cause?: unknown) =>
  new PeriscopeError(
    'invalid-request',
    'storage/not-a-backup',
    `${file} cannot be restored: ${reason}.`,
    'Give a file that `periscope backup` wrote for the same kind of database.',
    { cause },
  );

export const targetNotEmpty = (place: string) =>
  new PeriscopeError(
    'conflict',
    'storage/target-not-empty',
    `${place} already holds a database.`,
    'Call again with `--overwrite` if its content may go; take a backup of it first.',
  );

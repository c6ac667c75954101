import { statfsSync } from 'node:fs';
import { chmod, open } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import { aborted, busy, corrupt, unavailable } from './errors.ts';

/** Prepared statements kept per connection; the least recently used goes first. */
const STATEMENTS_MAX = 256;

/**
 * How long SQLite itself may wait for another process. It waits on the main thread, so this is short and the longer wait is the
 * driver's, which lets everything else go on.
 */
const NATIVE_WAIT_MS = 10;

/** The WAL grows while something reads for long, a backup say; afterwards it is cut back to this. */
const WAL_BYTES_KEPT = 64 * 2 ** 20;

export interface SqliteResult {
  rows: unknown[];
  changes: number;
  lastInsertRowid: number | bigint;
}

/** One handle on the database file, with its prepared statements. Everything it throws about SQLite is already one of our errors. */
export class SqliteConnection {
  readonly file: string;
  readonly #database: DatabaseSyncInstance;
  readonly #statements = new Map<string, Statement>();

  constructor(file: string, options: { readOnly: boolean }) {
    this.file = file;
    this.#database = this.#translated(
      () => new DatabaseSync(file, { timeout: NATIVE_WAIT_MS, enableForeignKeyConstraints: true }),
    );
    try {
      if (options.readOnly) this.exec('pragma query_only = 1');
      this.exec('pragma synchronous = normal');
      this.exec(`pragma journal_size_limit = ${WAL_BYTES_KEPT}`);
    } catch (fault) {
      this.close();
      throw fault;
    }
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** For SQLite's own backup call alone. */
  get handle(): DatabaseSyncInstance {
    return this.#database;
  }

  exec(sql: string): void {
    this.#translated(() => this.#database.exec(sql));
  }

  run(sql: string, parameters: readonly unknown[]): SqliteResult {
    return this.#translated(() => {
      const statement = this.#prepared(sql);
      if (statement.returnsRows) {
        return { rows: statement.native.all(...parameters), changes: 0, lastInsertRowid: 0 };
      }
      return { rows: [], ...statement.native.run(...parameters) };
    });
  }

  *iterate(sql: string, parameters: readonly unknown[]): Generator<unknown> {
    // A statement of its own: the cached one may be asked again while this one is half read.
    const statement = this.#translated(() => this.#database.prepare(sql));
    yield* statement.iterate(...parameters);
  }

  close(): void {
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  #prepared(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement) {
      this.#statements.delete(sql);
    } else {
      const native = this.#database.prepare(sql);
      statement = { native, returnsRows: native.columns().length > 0 };
      const oldest = this.#statements.keys().next();
      if (this.#statements.size >= STATEMENTS_MAX && !oldest.done) this.#statements.delete(oldest.value);
    }
    this.#statements.set(sql, statement);
    return statement;
  }

  #translated<T>(call: () => T): T {
    try {
      return call();
    } catch (fault) {
      throw sqliteError(fault, this.file, this.#database?.isOpen === true && this.#database.isTransaction);
    }
  }
}

interface Statement {
  native: StatementSyncInstance;
  returnsRows: boolean;
}

/** Made before SQLite opens it, so that the file, and the WAL files that copy its mode, are never readable by others. */
export async function createPrivateFile(file: string): Promise<void> {
  try {
    // Only ever opened when it is new: closing a second handle on a database that this process has open would drop SQLite's locks on it.
    await (await open(file, 'wx', 0o600)).close();
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'EEXIST')
      throw unavailable(`${file} cannot be made`, fault);
    await chmod(file, 0o600).catch((refused) => {
      throw unavailable(`${file} belongs to another user`, refused);
    });
  }
}

/** SQLite's primary result codes that say something to an operator; anything else is a fault of ours and stays as it is. */
export function sqliteError(fault: unknown, file: string, inTransaction: boolean): unknown {
  const extended = (fault as { errcode?: unknown } | null)?.errcode;
  if (typeof extended !== 'number') return fault;
  switch (extended & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return inTransaction ? aborted(fault) : busy(fault);
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      return corrupt(file, fault);
    case SQLITE_FULL:
      return unavailable('the disk is full', fault);
    case SQLITE_IOERR:
      return unavailable(
        isDiskFull(file) ? 'the disk is full' : `${file} could not be read or written`,
        fault,
      );
    case SQLITE_PERM:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return unavailable(`${file} cannot be opened for writing`, fault);
    default:
      return fault;
  }
}

/** SQLite calls it a failed write where it cannot make room for the files beside the database. */
function isDiskFull(file: string): boolean {
  try {
    return statfsSync(path.dirname(file)).bavail === 0;
  } catch {
    return false;
  }
}

const SQLITE_PERM = 3;
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

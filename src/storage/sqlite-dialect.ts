import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { PeriscopeError } from '../base/errors.ts';
import { busy, closed } from './errors.ts';
import { FairLock } from './fair-lock.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

export interface SqliteDialectConfig {
  writer: SqliteConnection;
  reader: SqliteConnection;
  /** How long a statement waits for others, in this process and beyond, before it is told that the database is busy. */
  waitMsMax: number;
}

/** Kysely over two connections: one that writes, a holder at a time, and one that reads the last committed state and never waits. */
export function sqliteDialect(config: SqliteDialectConfig): Dialect {
  return {
    createDriver: () => new SqliteDriver(config),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    // Kysely itself types the database that an introspector looks at as any.
    createIntrospector: (db: Kysely<never>) => new SqliteIntrospector(db),
  };
}

class SqliteDriver implements Driver {
  readonly #config: SqliteDialectConfig;
  readonly #lock = new FairLock();
  readonly #turns = new EventLoopTurns();
  #closed = false;

  constructor(config: SqliteDialectConfig) {
    this.#config = config;
  }

  /** The writer for one holder, in the order of asking. */
  async lockWriter(): Promise<void> {
    if (!(await this.#lock.acquire(this.#config.waitMsMax))) throw busy();
    if (!this.#closed) return;
    this.#lock.release();
    throw closed();
  }

  unlockWriter(): void {
    this.#lock.release();
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteSession> {
    if (this.#closed) throw closed();
    return new SqliteSession(this, this.#config, this.#turns);
  }

  async beginTransaction(session: SqliteSession): Promise<void> {
    // A deferred transaction that reads first could no longer write after another process wrote.
    await session.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  async commitTransaction(session: SqliteSession): Promise<void> {
    await session.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(): Promise<void> {
    // SQLite ends the transaction by itself on a full disk and the like.
    if (this.#config.writer.inTransaction) this.#config.writer.exec('rollback');
  }

  async releaseConnection(session: SqliteSession): Promise<void> {
    session.end();
  }

  async destroy(): Promise<void> {
    this.#closed = true;
    // Whoever writes right now finishes first.
    const free = await this.#lock.acquire(this.#config.waitMsMax);
    this.#config.reader.close();
    this.#config.writer.close();
    if (free) this.#lock.release();
  }
}

/** What one query or transaction holds: nothing while it only reads, the writer from its first write to its end. */
class SqliteSession implements DatabaseConnection {
  readonly #driver: SqliteDriver;
  readonly #config: SqliteDialectConfig;
  readonly #turns: EventLoopTurns;
  #writes = false;

  constructor(driver: SqliteDriver, config: SqliteDialectConfig, turns: EventLoopTurns) {
    this.#driver = driver;
    this.#config = config;
    this.#turns = turns;
  }

  async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    if (!this.#writes && !SelectQueryNode.is(query)) await this.#becomeWriter();
    await this.#turns.breathe();
    const connection = this.#writes ? this.#config.writer : this.#config.reader;
    const { rows, changes, lastInsertRowid } = await this.#patiently(() => connection.run(sql, parameters));
    return {
      rows: rows as R[],
      numAffectedRows: BigInt(changes),
      insertId: BigInt(lastInsertRowid),
    };
  }

  async *streamQuery<R>({ sql, parameters, query }: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    if (!this.#writes && !SelectQueryNode.is(query)) await this.#becomeWriter();
    const connection = this.#writes ? this.#config.writer : this.#config.reader;
    for (const row of connection.iterate(sql, parameters)) yield { rows: [row as R] };
  }

  end(): void {
    if (!this.#writes) return;
    this.#writes = false;
    this.#driver.unlockWriter();
  }

  async #becomeWriter(): Promise<void> {
    await this.#driver.lockWriter();
    this.#writes = true;
  }

  /** Another process may be writing. Inside our own transaction nothing is repeated: that is for whoever began it. */
  async #patiently<T>(call: () => T): Promise<T> {
    const givesUpMs = performance.now() + this.#config.waitMsMax;
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 32)) {
      try {
        return call();
      } catch (fault) {
        const again = fault instanceof PeriscopeError && fault.code === 'storage/busy';
        if (!again || performance.now() + pauseMs > givesUpMs) throw fault;
      }
      await sleep(pauseMs);
    }
  }
}

/** How long queries may follow each other before timers and sockets get their turn. */
const TURN_MS_MAX = 10;

/** SQLite answers at once, so that a loop of awaited queries alone would never let go of the event loop. */
class EventLoopTurns {
  #startedMs: number | null = null;

  async breathe(): Promise<void> {
    if (this.#startedMs === null) {
      this.#startedMs = performance.now();
      setImmediate(() => {
        this.#startedMs = null;
      });
    } else if (performance.now() - this.#startedMs > TURN_MS_MAX) {
      await nextTurn();
    }
  }
}

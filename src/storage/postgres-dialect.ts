import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { PeriscopeError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { aborted, busy, timedOut, unavailable } from './errors.ts';

const CONNECT_TIMEOUT_MS = 15_000;
const STATEMENT_TIMEOUT_MS = 60_000;
/** The server ends statements itself; this is for a server that has gone without a word. */
const SILENCE_TIMEOUT_MS = 600_000;

/** bigint and numeric: our ids, times and counts all stay far below 2^53. */
const numberTypes = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

/** Kysely's dialect over a pool whose faults are already our errors. */
export function postgresDialect(options: { url: string; poolSizeMax: number }, logger: Logger): Dialect {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSizeMax,
    application_name: 'periscope',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: SILENCE_TIMEOUT_MS,
    keepAlive: true,
    types: {
      getTypeParser: (oid, format) =>
        numberTypes.has(oid) && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
    },
  });
  // An idle connection that the server closed; the pool replaces it, and without a listener it would end the process.
  pool.on('error', (fault) => logger.warn('a database connection was lost', { reason: fault.message }));
  return new PostgresDialect({ pool: translating(pool) });
}

function translating(pool: pg.Pool): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect().catch((fault) => {
        throw postgresError(fault);
      });
      return translatingClient(client);
    },
    end: () => pool.end(),
  };
}

function translatingClient(client: pg.PoolClient): PostgresPoolClient {
  let broken = false;
  // The pool listens to idle connections alone: unheard, the end of one in use would end the process.
  const onError = () => {
    broken = true;
  };
  client.on('error', onError);
  // Kysely asks with text and parameters alone, as we give it no cursor class.
  const query = (text: string, parameters: unknown[]) =>
    client.query(text, parameters).catch((fault) => {
      const ours = postgresError(fault);
      if (ours instanceof PeriscopeError && ours.kind === 'unavailable') broken = true;
      throw ours;
    });
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release(destroy) {
      client.off('error', onError);
      // One that was cut off would fail the next call too.
      client.release(destroy === true || broken);
    },
  };
}

/** SQLSTATE or the socket's code; whatever says nothing to an operator is a fault of ours and stays as it is. */
export function postgresError(fault: unknown): unknown {
  if (!(fault instanceof Error)) return fault;
  const code = String((fault as { code?: unknown }).code ?? '');
  if (code === '40001' || code === '40P01') return aborted(fault);
  if (code === '55P03' || code === '53300' || code === '57P03') return busy(fault);
  if (code === '57014' || fault.message === 'Query read timeout') return timedOut(fault);
  if (fault.message.startsWith('timeout exceeded when trying to connect')) return busy(fault);
  if (code === '28P01' || code === '28000')
    return unavailable('PostgreSQL refused our user or password', fault);
  if (code === '3D000') return unavailable('PostgreSQL has no database of that name', fault);
  if (code === '42501') return unavailable('our PostgreSQL user lacks a right', fault);
  if (code.startsWith('53') || code === '58030') return unavailable('PostgreSQL is out of room', fault);
  if (code.startsWith('08') || code.startsWith('57P') || isSocketFault(code, fault)) {
    return unavailable('PostgreSQL cannot be reached', fault);
  }
  return fault;
}

function isSocketFault(code: string, fault: Error): boolean {
  return (
    /^(ECONN|ENOTFOUND|EAI_|EHOST|ENET|ETIMEDOUT|EPIPE|ENOENT|EACCES)/.test(code) ||
    fault.message.startsWith('Connection terminated') ||
    fault.message.startsWith('Client has encountered a connection error')
  );
}

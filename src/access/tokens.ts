import { hash } from 'node:crypto';
import type { CompiledQuery, Selectable } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import type { Schema, Storage } from '../storage/index.ts';
import { localSubject, requireAdministrator, scopes } from './caller.ts';
import { badToken, noSuchToken, tokenInvalid } from './errors.ts';
import { createRefusedTokens } from './refused-tokens.ts';
import type { Audit, Caller, Destination, Scope, SubjectKind, TokenSummary, Tokens } from './types.ts';

export interface TokensDeps {
  storage: Storage;
  clock: Clock;
  /** Cryptographically strong: node:crypto's. */
  randomBytes: (bytes: number) => Buffer;
  audit: Audit;
}

const tokenPattern = /^psc_[A-Za-z0-9_-]{43}$/;
/** How exact "last used" is: a write for every call would cost more than the call. */
const lastUsedStepMs = 60_000;

/**
 * Access tokens. What is stored is the SHA-256 alone: 256 random bits need no salt and no slow hash, and the lookup by hash takes the
 * same time whichever token is tried. Nothing is cached, since another process may have revoked the token a moment ago.
 */
export function createTokens({ storage, clock, randomBytes, audit }: TokensDeps): Tokens {
  const { db } = storage;
  /** Tokens whose use is being written or was lately, so that calls at once do not all write. */
  const touched = new LRUCache<string, number>({ max: 10_000 });

  const touch = (id: string, nowMs: number) => {
    if (nowMs - (touched.get(id) ?? Number.NEGATIVE_INFINITY) < lastUsedStepMs) return;
    touched.set(id, nowMs);
    // Not waited for and never told: a call must not fail or be slow because its time could not be noted.
    db.updateTable('token')
      .set({ last_used_ms: nowMs })
      .where('id', '=', id)
      .execute()
      .catch(() => touched.delete(id));
  };

  const refusedTokens = createRefusedTokens(audit);
  const refuse = (nowMs: number): never => {
    refusedTokens.add(nowMs);
    throw badToken();
  };

  // Built once: composing the query would take longer than running it.
  const bySha256 = db.selectFrom('token').selectAll().where('sha256', '=', '').compile();

  return {
    async create(wanted, by) {
      requireAdministrator(by, 'create tokens');
      const nowMs = clock.now();
      const checked = checkedToken(wanted, nowMs);
      const token = `psc_${randomBytes(32).toString('base64url')}`;
      const row: Row = {
        id: randomBytes(8).toString('hex'),
        sha256: sha256(token),
        label: checked.label,
        subject_kind: checked.subject.kind,
        subject: checked.subject.name,
        groups_json: JSON.stringify(checked.groups),
        scopes_json: JSON.stringify(checked.scopes),
        destination: checked.destination,
        created_ms: nowMs,
        created_by: by.subject.name,
        expires_ms: checked.expiresMs,
        revoked_ms: null,
        last_used_ms: null,
      };
      await audit.recordNow(administrativeEntry(by, 'token.create', { id: row.id, ...checked }));
      await db.insertInto('token').values(row).execute();
      return { token, summary: summaryOf(row) };
    },

    async list() {
      const rows = await db.selectFrom('token').selectAll().orderBy('created_ms').orderBy('id').execute();
      return rows.map(summaryOf);
    },

    async revoke(id, by) {
      requireAdministrator(by, 'revoke tokens');
      const row = await db.selectFrom('token').select('label').where('id', '=', id).executeTakeFirst();
      if (!row) throw noSuchToken(id);
      await audit.recordNow(administrativeEntry(by, 'token.revoke', { id, label: row.label }));
      await db
        .updateTable('token')
        .set({ revoked_ms: clock.now() })
        .where('id', '=', id)
        .where('revoked_ms', 'is', null)
        .execute();
    },

    async authenticate(token) {
      refusedTokens.tellCounted(clock.now());
      if (!tokenPattern.test(token)) return refuse(clock.now());
      const query: CompiledQuery<Row> = { ...bySha256, parameters: [sha256(token)] };
      const [row] = (await db.executeQuery(query)).rows;
      const nowMs = clock.now();
      if (!row || row.revoked_ms !== null || (row.expires_ms !== null && row.expires_ms <= nowMs)) {
        return refuse(nowMs);
      }
      if (row.last_used_ms === null || nowMs - row.last_used_ms >= lastUsedStepMs) touch(row.id, nowMs);
      return summaryOf(row);
    },
  };
}

type Wanted = Parameters<Tokens['create']>[0];
type Row = Selectable<Schema['token']>;

/** Refuses what would make a token that nobody means, and keeps nothing that was not asked for. */
function checkedToken(wanted: Wanted, nowMs: number): Wanted {
  const label = wanted.label.trim();
  const { kind, name } = wanted.subject;
  if (label === '' || label.length > 200) {
    throw tokenInvalid(
      'A token needs a label of at most 200 characters.',
      'Say what it is for, such as "ada, laptop".',
    );
  }
  if (!isName(name) || name === '*' || name === localSubject) {
    throw tokenInvalid(
      `${JSON.stringify(name)} cannot be the name of a ${kind}.`,
      `Use 1 to 256 characters without line breaks; "*" is everyone in rules, and "${localSubject}" is the operator's shell in the audit.`,
    );
  }
  const badGroup = wanted.groups.find((group) => !isName(group));
  if (badGroup !== undefined) {
    throw tokenInvalid(
      `${JSON.stringify(badGroup)} cannot be a group.`,
      'Use 1 to 256 characters without line breaks.',
    );
  }
  if (wanted.scopes.length === 0 || wanted.scopes.some((scope) => !scopes.includes(scope))) {
    throw tokenInvalid('A token needs scopes that exist.', `Choose among ${scopes.join(', ')}.`);
  }
  if (wanted.expiresMs !== null && !(wanted.expiresMs > nowMs)) {
    throw tokenInvalid('The token would have expired already.', 'Give a time to come, or none.');
  }
  return {
    label,
    subject: { kind, name },
    groups: [...new Set(wanted.groups)],
    scopes: scopes.filter((scope) => wanted.scopes.includes(scope)),
    destination: wanted.destination,
    expiresMs: wanted.expiresMs,
  };
}

function isName(name: string): boolean {
  return /^[^\x00-\x1f\x7f]{1,256}$/.test(name) && name.trim() === name;
}

function summaryOf(row: Row): TokenSummary {
  return {
    id: row.id,
    label: row.label,
    subject: { kind: row.subject_kind as SubjectKind, name: row.subject },
    groups: JSON.parse(row.groups_json) as string[],
    scopes: JSON.parse(row.scopes_json) as Scope[],
    destination: row.destination as Destination,
    createdMs: row.created_ms,
    createdBy: row.created_by,
    expiresMs: row.expires_ms,
    revokedMs: row.revoked_ms,
    lastUsedMs: row.last_used_ms,
  };
}

function administrativeEntry(by: Caller, operation: string, detail: Record<string, unknown>) {
  return {
    subject: by.subject.name,
    onBehalfOf: by.onBehalfOf,
    operation,
    repositories: [],
    outcome: 'ok',
    detail,
  };
}

function sha256(token: string): string {
  return hash('sha256', token);
}

import { sql } from 'kysely';
import type { Migration } from './migration.ts';

const U32_MAX = 2 ** 32 - 1;

export const firstTables: Migration = {
  version: 1,
  name: 'first-tables',
  async up(db, { text, identity }) {
    const { schema } = db;

    await schema
      .createTable('meta')
      .addColumn('key', text, (column) => column.primaryKey())
      .addColumn('value', text, (column) => column.notNull())
      .execute();

    await schema
      .createTable('lease')
      .addColumn('name', text, (column) => column.primaryKey())
      .addColumn('owner', text, (column) => column.notNull())
      .addColumn('fence', 'bigint', (column) => column.notNull())
      .addColumn('until_ms', 'bigint', (column) => column.notNull())
      .execute();

    await schema
      .createTable('host_state')
      .addColumn('host', text, (column) => column.primaryKey())
      .addColumn('last_good_ms', 'bigint')
      .addColumn('last_problem', text)
      .addColumn('last_problem_ms', 'bigint')
      .execute();

    await identity(schema.createTable('repository'), U32_MAX)
      .addColumn('host', text, (column) => column.notNull())
      .addColumn('external_id', text, (column) => column.notNull())
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('default_branch', text)
      .addColumn('archived', 'integer', (column) => column.notNull())
      .addColumn('fork', 'integer', (column) => column.notNull())
      .addColumn('visibility', text, (column) => column.notNull())
      .addColumn('web_url', text)
      .addColumn('location', text, (column) => column.notNull())
      .addColumn('present', 'integer', (column) => column.notNull())
      .addColumn('first_seen_ms', 'bigint', (column) => column.notNull())
      .addColumn('last_seen_ms', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('repository_external_id', ['host', 'external_id'])
      .execute();

    await schema
      .createTable('repository_alias')
      .addColumn('host', text, (column) => column.notNull())
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('repository_id', 'bigint', (column) =>
        column.notNull().references('repository.id').onDelete('cascade'),
      )
      .addPrimaryKeyConstraint('repository_alias_name', ['host', 'name'])
      .execute();
    await schema
      .createIndex('repository_alias_repository')
      .on('repository_alias')
      .column('repository_id')
      .execute();

    await schema
      .createTable('token')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('sha256', text, (column) => column.notNull().unique())
      .addColumn('label', text, (column) => column.notNull())
      .addColumn('subject_kind', text, (column) => column.notNull())
      .addColumn('subject', text, (column) => column.notNull())
      .addColumn('groups_json', text, (column) => column.notNull())
      .addColumn('scopes_json', text, (column) => column.notNull())
      .addColumn('destination', text, (column) => column.notNull())
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .addColumn('created_by', text, (column) => column.notNull())
      .addColumn('expires_ms', 'bigint')
      .addColumn('revoked_ms', 'bigint')
      .addColumn('last_used_ms', 'bigint')
      .execute();

    await identity(schema.createTable('audit'))
      .addColumn('at_ms', 'bigint', (column) => column.notNull())
      .addColumn('subject', text, (column) => column.notNull())
      .addColumn('on_behalf_of', text)
      .addColumn('operation', text, (column) => column.notNull())
      .addColumn('repositories_json', text, (column) => column.notNull())
      .addColumn('outcome', text, (column) => column.notNull())
      .addColumn('detail_json', text, (column) => column.notNull())
      .execute();
    await schema.createIndex('audit_at').on('audit').column('at_ms').execute();
    await schema.createIndex('audit_subject').on('audit').columns(['subject', 'id']).execute();

    await identity(schema.createTable('job'))
      .addColumn('kind', text, (column) => column.notNull())
      .addColumn('key', text, (column) => column.notNull())
      .addColumn('state', text, (column) => column.notNull())
      .addColumn('payload_json', text, (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('max_attempts', 'integer', (column) => column.notNull())
      .addColumn('next_ms', 'bigint', (column) => column.notNull())
      .addColumn('lease_owner', text)
      .addColumn('lease_until_ms', 'bigint')
      .addColumn('fence', 'bigint', (column) => column.notNull())
      .addColumn('result_json', text)
      .addColumn('problem', text)
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .addColumn('finished_ms', 'bigint')
      .execute();
    // One live job per (kind, key) is the database's promise, not a check before the insert.
    await schema
      .createIndex('job_live')
      .unique()
      .on('job')
      .columns(['kind', 'key'])
      .where(sql.ref('state'), 'in', sql`('waiting', 'running')`)
      .execute();
    await schema
      .createIndex('job_claim')
      .on('job')
      .columns(['kind', 'next_ms', 'id'])
      .where(sql.ref('state'), '=', sql.lit('waiting'))
      .execute();
    await schema
      .createIndex('job_lease')
      .on('job')
      .column('lease_until_ms')
      .where(sql.ref('state'), '=', sql.lit('running'))
      .execute();
    await schema.createIndex('job_key').on('job').columns(['kind', 'key', 'id']).execute();

    await identity(schema.createTable('event'))
      .addColumn('at_ms', 'bigint', (column) => column.notNull())
      .addColumn('kind', text, (column) => column.notNull())
      .addColumn('subject', text, (column) => column.notNull())
      .addColumn('data_json', text, (column) => column.notNull())
      .execute();
  },
};

import type { Migration } from './migration.ts';

export const traces: Migration = {
  version: 2,
  name: 'traces',
  async up(db, { text, identity }) {
    const { schema } = db;

    await identity(schema.createTable('trace'))
      .addColumn('at_ms', 'bigint', (column) => column.notNull())
      .addColumn('account', text, (column) => column.notNull())
      .addColumn('conversation', text, (column) => column.notNull())
      .addColumn('question', text, (column) => column.notNull())
      .addColumn('parameters_json', text, (column) => column.notNull())
      .addColumn('narrowed_json', text)
      .addColumn('ranking', text, (column) => column.notNull())
      .addColumn('features_json', text, (column) => column.notNull())
      .execute();
    await schema.createIndex('trace_at').on('trace').column('at_ms').execute();
    // Uses look for the newest searches of their conversation.
    await schema
      .createIndex('trace_conversation')
      .on('trace')
      .columns(['conversation', 'account', 'id'])
      .execute();

    await schema
      .createTable('trace_citation')
      .addColumn('trace_id', 'bigint', (column) =>
        column.notNull().references('trace.id').onDelete('cascade'),
      )
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('repository_id', 'bigint', (column) => column.notNull())
      .addColumn('commit_id', text, (column) => column.notNull())
      .addColumn('path', text, (column) => column.notNull())
      .addColumn('start_line', 'integer', (column) => column.notNull())
      .addColumn('end_line', 'integer', (column) => column.notNull())
      .addColumn('score', 'double precision', (column) => column.notNull())
      .addColumn('values_json', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('trace_citation_place', ['trace_id', 'position'])
      .execute();

    await schema
      .createTable('trace_use')
      .addColumn('trace_id', 'bigint', (column) => column.notNull())
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('tool', text, (column) => column.notNull())
      .addColumn('at_ms', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('trace_use_once', ['trace_id', 'position', 'tool'])
      .addForeignKeyConstraint(
        'trace_use_citation',
        ['trace_id', 'position'],
        'trace_citation',
        ['trace_id', 'position'],
        (key) => key.onDelete('cascade'),
      )
      .execute();
  },
};

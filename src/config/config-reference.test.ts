import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { configReference } from './config-reference.ts';
import { configJsonSchema, type JsonSchema } from './json-schema.ts';
import { loadConfig } from './load-config.ts';

const docs = path.resolve(import.meta.dirname, '../../docs');

it('every field has a sentence', () => {
  const without: string[] = [];
  const visit = (schema: JsonSchema, at: string) => {
    for (const [key, field] of Object.entries(schema.properties ?? {})) {
      if (!/^[A-Z`].*\.$/s.test(field.description ?? '')) without.push(`${at}.${key}`);
      visit(field, `${at}.${key}`);
    }
    for (const form of [...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : [])]) visit(form, at);
  };
  visit(configJsonSchema(), '');
  expect(without).toEqual([]);
});

it('every field that takes 0 as a special value says what it means', () => {
  const silent: string[] = [];
  const visit = (schema: JsonSchema, at: string) => {
    for (const [key, field] of Object.entries(schema.properties ?? {})) {
      if (field.minimum === 0 && !/\b0 /.test(field.description ?? '')) silent.push(`${at}.${key}`);
      visit(field, `${at}.${key}`);
    }
    for (const form of [...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : [])]) visit(form, at);
  };
  visit(configJsonSchema(), '');
  expect(silent).toEqual([]);
});

describe('docs follow the schema', () => {
  it('the example config is valid and means something', async () => {
    const config = await loadConfig({
      file: path.join(docs, 'periscope.example.yaml'),
      env: {},
      cwd: '/',
      homeFolder: '/home/ada',
    });
    expect(config.hosts.map(({ name }) => name)).toEqual(['work', 'acme', 'legacy']);
    expect(config.audit.retentionMs).toBe(180 * 86_400_000);
  });

  it('the reference page and the JSON schema are fresh: npm run generate', async () => {
    expect(await readFile(path.join(docs, 'reference/config.md'), 'utf8')).toBe(configReference());
    const schema = JSON.parse(await readFile(path.join(docs, 'reference/periscope.schema.json'), 'utf8'));
    expect(schema).toEqual(configJsonSchema());
  });
});

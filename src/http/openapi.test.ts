import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { describeOperations } from '../operations/index.ts';
import { apiPage } from './api-page.ts';
import { openApiDocument } from './openapi.ts';

describe('the real tools are told', () => {
  const operations = describeOperations();
  const document = openApiDocument(operations, { version: '1.0.0', url: 'https://periscope.example' });

  it('by a valid document', async () => {
    expect((await new Validator().validate(document)).errors ?? []).toEqual([]);
    // A reference into one schema would look for its target in the whole document.
    expect(JSON.stringify(document)).not.toContain('"$ref":"#/$defs');
  });
  it('by a page with every tool and every parameter', () => {
    const page = apiPage(operations, 'https://periscope.example');
    for (const { name, inputSchema } of operations) {
      expect(page).toContain(`/api/tools/${name}<`);
      for (const parameter of Object.keys(inputSchema['properties'] as object)) {
        expect(page).toContain(`<code>${parameter}</code>`);
      }
    }
  });
  it('and text in them cannot become markup', () => {
    const hostile = { ...operations[0]!, title: '<script>', description: '"&\'' };
    expect(apiPage([hostile], '')).toContain('&#60;script&#62;');
    expect(apiPage([hostile], '')).not.toContain('<script>');
  });
});

import { describe, expect, it } from 'vitest';
import { describeOperations, type ToolAnswer } from '../operations/index.ts';
import { answerJson, described } from './answer-json.ts';
import { openApiDocument } from './openapi.ts';

const beside = ['notes', 'cut', 'cursor'];

describe('an answer over HTTP', () => {
  it('says notes, the cut and the cursor once, beside the result', () => {
    const said = { notes: ['Read "a" as b.'], cut: true, cursor: 'c1' };
    const answer: ToolAnswer = {
      tool: 'history',
      text: 'text',
      result: { repository: 'acme/a', commits: [1], ...said },
      found: true,
      ...said,
    };
    expect(answerJson(answer)).toEqual({
      tool: 'history',
      result: { repository: 'acme/a', commits: [1] },
      ...said,
      found: true,
    });
    // The operation's own answer is not touched: it may be read again.
    expect(answer.result['cursor']).toBe('c1');
  });

  it('is described as it is given, by the list of tools and by the OpenAPI document', () => {
    const operations = describeOperations();
    const document = openApiDocument(operations, { version: '1', url: '/' });
    for (const operation of operations) {
      const { properties, required } = described(operation).outputSchema as {
        properties: object;
        required: string[];
      };
      for (const name of beside) {
        expect(Object.keys(properties)).not.toContain(name);
        expect(required).not.toContain(name);
      }
      const path = (document['paths'] as Record<string, unknown>)[`/api/tools/${operation.name}`];
      expect(JSON.stringify(path).match(/"cursor":\{"type":\["string","null"\]\}/g)).toHaveLength(1);
    }
  });
});

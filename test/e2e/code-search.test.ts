import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PeriscopeError } from '../../src/base/errors.ts';
import { type Acme, createAcme } from './support/acme-repositories.ts';
import { type RunningPeriscope, startPeriscope } from './support/running-periscope.ts';

let acme: Acme;
let periscope: RunningPeriscope;
let token: string;
beforeAll(async () => {
  acme = createAcme();
  periscope = await startPeriscope({
    serve: true,
    config: {
      hosts: [{ kind: 'folder', name: 'local', folders: [acme.folder] }],
      access: {
        rules: [{ effect: 'allow', people: ['ada'], repositories: ['acme/payments', 'acme/billing'] }],
      },
    },
  });
  ({ token } = await periscope.token('ada'));
});
afterAll(async () => {
  await periscope.stop();
  acme.remove();
});

async function search(input: Record<string, unknown>): Promise<string> {
  const { call } = await periscope.conversation(token);
  try {
    return (await call('codesearch', input)).text;
  } catch (fault) {
    if (!(fault instanceof PeriscopeError)) throw fault;
    return `${fault.code} ${fault.message} ${fault.next}`;
  }
}

describe('commits are found by what they say and by what they change', () => {
  const check = (name: string, query: string, wanted: string[], unwanted: string[] = []) =>
    it(name, async () => {
      const text = await search({ query });
      for (const part of wanted) expect(text).toContain(part);
      for (const part of unwanted) expect(text).not.toContain(part);
    });
  check('a word of the message', 'type:commit raise limit', ['acme/payments', 'Raise the retry limit']);
  check('a repository', 'type:commit repo:billing raise', ['No commit fits']);
  check('what was added or removed', 'type:diff "retryLimit = 5"', ['Raise the retry limit'], ['billing']);
  check('of an author that nobody is', 'type:commit author:nobody', ['No commit fits']);
  check('an expression over changes', 'type:diff /retry\\w+/', ['operations/diff-text', 'one word']);
});

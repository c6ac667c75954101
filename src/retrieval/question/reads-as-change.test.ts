import { describe, expect, it } from 'vitest';
import { readsAsChange } from './reads-as-change.ts';

function check(text: string, expected: boolean) {
  it(`${text} ${expected ? 'tells a change' : 'asks for a place'}`, () => {
    expect(readsAsChange(text)).toBe(expected);
  });
}

describe('what is to be done is told from what is asked for', () => {
  check('Add a retry to the upload of artifacts', true);
  check('Please remove the polyfill of setPrototypeOf', true);
  check("don't close the connection while a write waits", true);
  check('do not log tokens of the session', true);
  check('parser, lexer: Allow underscores in numbers', true);
  check('http: retries of idempotent requests', true);
  check('re-enable the grain test of joins', true);
  check('properly handle keys with spaces', true);
  check('session expiry is off by one, fixes logout on reload', true);

  check('How do I add a retry to the upload?', false);
  check('where is the bug tracker configured', false);
  check('Fix the upload?', false);
  check('Returns the current time in UTC', false);
  check('Checks whether a lease has run out', false);
  check('parse the given address', false);
  check('which pods get a sidecar and which are passed over', false);
  check('http: where are idempotent requests retried', false);
  check('port-forward to the dashboard; open browser', false);
  check('add retry', false);
  check('', false);
});

import { describe, expect, it } from 'vitest';
import { isBodiless } from './bodiless.ts';

function check(text: string, name: string, expected: boolean): void {
  it(JSON.stringify(text), () =>
    expect(isBodiless({ name, start: 0, end: text.length }, () => text)).toBe(expected),
  );
}

describe('a guard of a header and a bare name say nothing', () => {
  check('#ifndef SESSION_REFRESH_H', '', true);
  check('#ifndef A_H\n#define A_H\n', 'A_H', true);
  check('#endif  // SESSION_REFRESH_H\n', '', true);
  check('class SessionRefresher;', 'SessionRefresher', true);
  check('## Refreshing sessions\n', 'Refreshing sessions', true);
  check('refresh:', 'refresh', true);
});

describe('what says more is found as ever', () => {
  check('#define RETRIES_MAX 5', 'RETRIES_MAX', false);
  check('type Session = { token: string };', 'Session', false);
  check('refresh: 10m', 'refresh', false);
  check('bool refresh(Session&);', 'refresh', false);
  check('/** Tells when. */\nclass Session;', 'Session', false);
  check(`// ${'x'.repeat(300)}`, '', false);
});

import { describe, expect, it } from 'vitest';
import { type ExactSearch, readQuestion } from './read-question.ts';

function shown({ text, file }: ExactSearch): string {
  return [text === null ? '' : text, file === null ? '' : `in ${file}`].join(' ').trim();
}

function check(question: string, expected: string | null, ...searches: string[]): void {
  it(`${question} is ${expected ?? 'a question'}`, () => {
    const read = readQuestion(question);
    expect(read.kind === 'exact' ? read.looks : null).toBe(expected);
    if (read.kind === 'exact' && searches.length > 0) expect(read.searches.map(shown)).toEqual(searches);
  });
}

describe('what is meant by its words is a question', () => {
  for (const question of [
    'how are expired sessions refreshed?',
    'authentication',
    'retry with backoff',
    'where do we call refreshSession()?',
    'Why does POST /login answer 401',
    'rate-limiting',
    'what is "idle" here',
    "don't panic",
    'HTTP',
    'kafka consumer lag e.g. in payments',
    '',
  ]) {
    check(question, null);
  }
});

describe('an identifier is looked for as it is', () => {
  check('refreshSession', 'an identifier', 'refreshSession');
  check('refresh_session()', 'an identifier', 'refresh_session');
  check('Session.refresh', 'an identifier', 'Session.refresh');
  check('acme::Session::refresh', 'an identifier', 'acme::Session::refresh');
  check('HTTPServer?', 'an identifier', 'HTTPServer');
  check('@Injectable', 'an identifier');
  check('ERR_CONNECTION_REFUSED', 'an identifier');
  check('x-request-id', 'an identifier', 'x-request-id');
  check('--max-old-space-size', 'an identifier');
  check('com.acme.auth', 'an identifier');
  check('3f2504e0-4f89-11d3-9a0c-0305e82c3301', 'an identifier');
});

describe('a text in quotes is looked for without them', () => {
  check('"connection refused by peer"', 'a quoted text', 'connection refused by peer');
  check('`err != nil`', 'a quoted text', 'err != nil');
  check('“token expired”', 'a quoted text', 'token expired');
  check('"a" or "b"', null);
});

describe('a path finds its file', () => {
  check('src/auth/session.ts', 'a path', 'in **/src/auth/session.ts', 'in **/session.ts');
  check('session.ts', 'a path', 'in **/session.ts');
  check('./pkg/[id]/page.tsx', 'a path', 'in **/pkg/?id?/page.tsx', 'in **/page.tsx');
  check('src/auth/', 'a path', 'in **/src/auth');
});

describe('a line of a stack trace finds the function in its file', () => {
  check(
    'at Session.refresh (/srv/app/src/session.ts:12:5)',
    'a line of a stack trace',
    'refresh in **/src/session.ts',
    'refresh in **/session.ts',
    'in **/src/session.ts',
    'in **/session.ts',
    'refresh',
  );
  check('at com.acme.Session.refresh(Session.java:42)', 'a line of a stack trace', ...java());
  check('File "app/session.py", line 12, in refresh', 'a line of a stack trace');
  check(
    '/srv/app/session.go:12 +0x1d',
    'a line of a stack trace',
    'in **/app/session.go',
    'in **/session.go',
  );
  check("app/session.rb:12:in `refresh'", 'a line of a stack trace');
  check('#3 /srv/src/Session.php(12): Acme\\Session->refresh()', 'a line of a stack trace');
  check('at Acme.Session.Refresh(String id) in C:\\src\\Session.cs:line 12', 'a line of a stack trace');
  check('TypeError: x is not a function\n    at run (src/main.js:3:1)', 'a line of a stack trace');

  it('and tells the line', () => {
    expect(readQuestion('src/session.ts:120')).toMatchObject({ line: 120 });
  });
});

function java(): string[] {
  return ['refresh in **/Session.java', 'in **/Session.java', 'refresh'];
}

import { describe, expect, it } from 'vitest';
import { readQuestion } from './read-question.ts';
import type { ExactSearch } from './stack-trace.ts';

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

  it('and tells the line', () => {
    expect(readQuestion('src/session.ts:120')).toMatchObject({ searches: [{ line: 120 }, { line: 120 }] });
  });
});

describe('an error message is looked for as the text that it is', () => {
  check(
    'RuntimeError: Working outside of application context.',
    'an error message',
    'Working outside of application context.',
  );
  check('java.lang.IllegalStateException: token has expired', 'an error message', 'token has expired');
  check('Error: connect to the broker failed', 'an error message', 'connect to the broker failed');
  check('panic: send on closed channel', 'an error message', 'send on closed channel');
  check("KeyError: 'token'", null);
  check('refactoring: how is it done', null);
});

describe('of a pasted stack trace the message comes first, then the innermost frame', () => {
  const first = (lines: readonly string[], ...expected: string[]) =>
    it(lines[0]!, () => {
      const read = readQuestion(lines.join('\n'));
      if (read.kind !== 'exact') throw new Error('taken for a question');
      expect(read.looks).toBe('a stack trace');
      expect(read.searches.map(shown).slice(0, expected.length)).toEqual(expected);
    });

  first(
    [
      'Traceback (most recent call last):',
      '  File "/srv/app/run.py", line 3, in main',
      '    start()',
      '  File "/srv/app/start.py", line 9, in start',
      '    raise RuntimeError(text)',
      'RuntimeError: Working outside of application context.',
      '',
      'This typically means that you attempted to use something.',
    ],
    'Working outside of application context.',
    'start in **/app/start.py',
  );
  first(
    [
      'TypeError: sender is not a function',
      '    at Object.emit (node:events:1:1)',
      '    at next (/srv/node_modules/router/index.js:7:1)',
      '    at run (/srv/src/main.js:3:1)',
      '    at start (/srv/src/start.js:4:1)',
    ],
    'sender is not a function',
    'run in **/src/main.js',
  );
  first(
    [
      'Exception in thread "main" java.lang.RuntimeException: start has failed',
      '\tat java.base/java.util.List.get(List.java:1)',
      '\tat com.acme.Main.start(Main.java:9)',
      'Caused by: com.acme.TokenException: token has expired',
      '\tat com.acme.Token.check(Token.java:4)',
    ],
    'token has expired',
    'start in **/Main.java',
  );
  first(
    [
      'panic: assignment to entry in nil map',
      'goroutine 1 [running]:',
      'runtime.mapassign(0x1)',
      '\t/usr/local/go/src/runtime/map.go:12 +0x1d',
      'main.(*Session).Refresh(0xc00, 0x2)',
      '\t/srv/acme/session.go:12 +0x1d',
    ],
    'assignment to entry in nil map',
    'Refresh in **/acme/session.go',
  );
  first(
    [
      "thread 'main' panicked at src/token.rs:5:9:",
      'token has expired',
      '   0: rust_begin_unwind',
      '             at /rustc/90b35a6/library/std/src/panicking.rs:5:5',
      '   1: acme::token::check',
      '             at ./src/token.rs:5:9',
    ],
    'token has expired',
    'in **/src/token.rs',
  );
  first(
    ["app/session.rb:12:in `refresh': token has expired (TokenError)", "\tfrom app/main.rb:3:in `run'"],
    'token has expired',
    'refresh in **/app/session.rb',
  );
  first(
    [
      'Traceback (most recent call last):',
      '  File "/srv/app/start.py", line 9, in start',
      "KeyError: 'token'",
    ],
    'start in **/app/start.py',
  );

  it('and by meaning the message alone is looked for', () => {
    const trace = 'TypeError: sender is not a function\n    at run (/srv/src/main.js:3:1)';
    expect(readQuestion(trace)).toMatchObject({ otherwise: 'sender is not a function', frames: 1 });
  });
});

function java(): string[] {
  return ['refresh in **/Session.java', 'in **/Session.java', 'refresh'];
}

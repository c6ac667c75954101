import { describe, expect, it } from 'vitest';
import { createSecretScanner } from '../../secrets/index.ts';
import { plantedSecrets } from '../../secrets/testing/planted-secrets.ts';
import { holdsSecret, keptParameter, keptQuestion } from './kept-question.ts';

const secrets = createSecretScanner();
const check = (asked: string, kept: string, shown: readonly string[] = []) =>
  it(JSON.stringify(asked.slice(0, 80)), () => expect(keptQuestion(asked, shown, secrets)).toBe(kept));

describe('a question in words is kept as it was asked', () => {
  const questions = [
    'where do we retry a payment after a 429?',
    'How does parseConfig() read the file from src/config/load-config.ts',
    "which service owns the customer's address, and who may change it?",
    'what calls Session.refresh when the access token expires',
    'where is retry-after handled (both forms)',
    'rate limiting per account in the HTTP gateway',
    'why is Foo::bar slower than std::map lookups',
    'import errors in the loader of the config',
    'wo wird die Rechnung als PDF erzeugt',
  ];
  for (const question of questions) check(question, question);
  check('  what\n makes  a token\r\nexpire ', 'what makes a token expire');
  check('who calls `Session.refresh` and `retry()`', 'who calls Session.refresh and retry()');
});

describe('code in a question is not kept', () => {
  check('what does this do? ```ts\nconst a = b;\n``` and why', 'what does this do? [code] and why');
  check('what does this do ```\nx', 'what does this do [code]');
  check('explain\n    rows of a table\n    next row\nplease', 'explain [code] please');
  check('if (x === null) return foo(bar);', '[code]');
  check('explain `a = b + c` to me', 'explain [code] to me');
  for (const line of [
    'return await client.get(url)',
    'def parse(self, text):',
    '// Waits for the token, at most a minute.',
    '# limitations under the License.',
    'SELECT name FROM users WHERE id',
    'export interface TraceCounters {',
    'for target_name in target_names:',
    '<div class="row">',
    '"could not read the file",',
    'unsigned int length',
  ])
    check(line, '[code]');
  check('why: Waits for the token, at most a minute. is slow', 'why: [code] is slow', [
    '  // Waits for the token, at most a minute.\n  return 1;',
  ]);
  check('x'.repeat(9000), '[code]');
});

describe('credentials in a question are not kept', () => {
  it('planted ones of every kind, written into a sentence and as they stand in files', () => {
    for (const { kind, text, secret } of plantedSecrets(7)) {
      for (const asked of [
        `why does ${text} fail in the gateway`,
        `the login is refused with\n${text}\nwhy`,
      ]) {
        expect(keptQuestion(asked, [], secrets), kind).not.toContain(secret);
      }
    }
  });
  check('my password is hunter2! why is it refused', 'my password is *** why is it refused');
  check('the token: abc-123 does not work', 'the token: *** does not work');
  check('the token is refreshed when', 'the token is refreshed when');
  check('what is a8F3k2Zp09Qx7Lm4Nv1T for', 'what is *** for');
  check('where is convertUtf8ToUtf16LittleEndian used', 'where is convertUtf8ToUtf16LittleEndian used');

  it('nor in a parameter or a path', () => {
    const { secret } = plantedSecrets(3).find(({ kind }) => kind === 'GitHub ghp')!;
    expect(keptParameter(`src/${secret}/*.ts`, secrets)).toBe('src/***/*.ts');
    expect(holdsSecret(`src/${secret}/a.ts`, secrets)).toBe(true);
    expect(holdsSecret('src/secrets/a.ts', secrets)).toBe(false);
    expect(keptParameter('src/{a,b}/**', secrets)).toBe('src/{a,b}/**');
    expect(keptParameter('if (a === b) return;', secrets)).toBe('[code]');
  });
});

describe('what is kept is bounded', () => {
  it('a long question is cut between words, and never within a character', () => {
    const kept = keptQuestion('word '.repeat(300), [], secrets);
    expect(kept.length).toBeLessThanOrEqual(501);
    expect(kept).toMatch(/word…$/);
    expect(keptQuestion(`${'a'.repeat(498)}😀😀`, [], secrets)).toBe(`${'a'.repeat(498)}…`);
  });
  it('control characters, which PostgreSQL refuses, become blanks', () => {
    expect(keptQuestion('where\u0000is\u0007it\ud800 then', [], secrets)).toBe('where is it then');
  });
});

import { isUtf8 } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../base/testing/seeded-random.ts';
import { createSecretScanner } from './create-secret-scanner.ts';
import { createKeywordFinder } from './keyword-finder.ts';
import { plantedSecrets } from './testing/planted-secrets.ts';

const scanner = createSecretScanner();

function masked(text: string): string {
  const bytes = Buffer.from(text);
  scanner.mask(bytes);
  return bytes.toString();
}

describe('a credential of every kind is masked', () => {
  for (const seed of [1, 2, 3]) {
    it.each(plantedSecrets(seed).map((one) => [one.kind, one] as const))(
      `%s (seed ${seed})`,
      (_, { text, secret }) => {
        for (const around of [text, `before\n${text}\nafter`, `é ${text} ✓`, `"text": "line\\n${text}"`]) {
          const after = masked(around);
          expect(after).not.toContain(secret.slice(-12));
          expect(after).not.toContain(secret.slice(0, secret.length / 2));
          expect(Buffer.byteLength(after)).toBe(Buffer.byteLength(around));
          expect(after.split('\n')).toHaveLength(around.split('\n').length);
          expect(scanner.find(Buffer.from(after))).toEqual([]);
          const kept = [...after].every((char, at) => char === '*' || char === [...around][at]);
          expect(kept).toBe(true);
        }
      },
    );
  }

  it('also when many stand in one text, which stays UTF-8 and is left alone the second time', () => {
    const planted = plantedSecrets(4);
    const bytes = Buffer.from(planted.map(({ text }) => `é ${text}\n`).join('\n'));
    expect(scanner.mask(bytes)).toBeGreaterThanOrEqual(planted.length);
    expect(isUtf8(bytes)).toBe(true);
    expect(scanner.mask(bytes)).toBe(0);
    for (const { secret } of planted) expect(bytes.toString()).not.toContain(secret);
  });

  it('as a span that says which rule and how sure', () => {
    const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const text = Buffer.from(`x ${token} y`);
    expect(scanner.find(text)).toEqual([
      { start: 2, end: 2 + token.length, rule: 'github-token', confidence: 'block' },
    ]);
  });

  it('a key of which a change or a page shows only the end', () => {
    const body = plantedSecrets(5).find(({ kind }) => kind === 'RSA PRIVATE KEY')!.text;
    const end = body.slice(body.indexOf('\n') + 1);
    expect(masked(`code();\n${end}\n`)).toMatch(/^code\(\);\n\*+\n\*+\n\*+\n-----END/);
    const begin = body.slice(0, body.lastIndexOf('\n'));
    expect(masked(`${begin}\n`)).toMatch(/^-----BEGIN RSA PRIVATE KEY-----\n\*+\n\*+\n\*+\n$/);
  });
});

describe('what only looks like a credential stays', () => {
  const hash = (length: number) =>
    '3f786850e387550fdab836ed7e6dc881de23001b9d5e2a17'.repeat(3).slice(0, length);
  it.each([
    ['a commit id', `commit = "${hash(40)}"`],
    ['a digest', `sha256: "${hash(64)}"`],
    ['a digest of a token', `token_hash = "${hash(64)}"`],
    ['a UUID', 'token_request = "123e4567-e89b-42d3-a456-426614174000"'],
    ['an integrity value', `"integrity": "sha512-${Buffer.from(hash(64)).toString('base64')}=="`],
    ['a public key', `public_key = "${Buffer.from(hash(60)).toString('base64')}"`],
    [
      'a certificate',
      `-----BEGIN CERTIFICATE-----\n${Buffer.from(hash(48)).toString('base64')}\n-----END CERTIFICATE-----`,
    ],
    ['a documented AWS key', `AKIA${'IOSFODNN7EXAMPLE'}`],
    ['a placeholder', 'api_key = "your-api-key-here-1234567890"'],
    ['an x for each character', `password = "${'x'.repeat(20)}"`],
    ['a variable', `password = "\${DB_PASSWORD_2}"`],
    ['an angle bracket', 'token: "<your-token-2-here>"'],
    ['a call', 'token = getToken(session1, "aB3dE5gH7jK9")'],
    ['a comparison', 'if (password == "Tr0ub4dor&3x") {}'],
    ['a type', 'password: string = defaultPassword1'],
    ['a name for a token', 'tokenName = "x-Access-T0ken-V2-a1b2"'],
    ['a path', 'secret_file = "/etc/Acme2/keys/a1B2c3D4e5F6.pem"'],
    ['a link', 'token_link = "https://acme.test/a1B2c3D4e5F6g7H8"'],
    ['a version', 'token = "12.14.3-rc1.a1b2c3d4"'],
    ['a URL without a password', 'https://bob@acme.test/x'],
    ['a port and an at sign', 'https://acme.test:8080/@scope/package'],
    ['a documented URL', 'postgres://user:password@localhost/db'],
    ['a lock file', `"resolved": "https://registry.acme.test/a/-/a-1.0.0.tgz#${hash(40)}"`],
    [
      'the beginning of a key and no key',
      'if (text.startsWith("-----BEGIN PRIVATE KEY-----")) {\n  return parse(text);\n}\n',
    ],
    ['words', 'The basic authentication-scheme needs a password and a token: see docs.'],
    ['the name of a rule', 'sk-ant-api03- and ghp_ and xoxb- are prefixes'],
    ['a short word behind a name', 'password = "hunter"'],
    ['a longer word behind a name', 'password: supersecretly'],
    ['a variable behind a name', 'password = userPassword2\n'],
    ['a member of something', 'password = config.x1y2z3\n'],
    ['the name of an algorithm', 'passwd = sha512crypt\n'],
    ['a variable in quotes', 'password = "prefix1-$PASSED"'],
    ['a hashed password', `password: "$2y$10$${'aB3dE5gH7jK9mN1pQ3'.repeat(3)}"`],
    ['a date behind a name', 'last_pass: "2026-11-30T12:00:00Z"'],
    ['the name of a secret', 'secret: "tls-cert-2-prod"'],
    ['a bypass', 'bypass = "rule12abc"'],
    ['a documented curl login', 'curl -u user:password https://acme.test/'],
    ['a curl login of variables', 'curl -u "$USER:$PASS" https://acme.test/'],
    ['an owner of a container', 'curl x | docker run -u 1000:1000 image'],
    ['prose about logins', 'The login form and password fields2 are shown.'],
    ['PuTTY without a key', 'Private-Lines: 3\nare counted here\n'],
    [
      'an encoded credential',
      `data = "${Buffer.from(`ghp_${'a1B2c3D4e5F6'.repeat(3)}`).toString('base64')}"`,
    ],
  ])('%s', (_, text) => {
    expect(masked(text)).toBe(text);
  });
});

describe('work is linear in the text, whatever it holds', () => {
  const size = 1 << 19;
  it.each([
    'api_key=',
    'api_key="',
    'sk-ant-api03-',
    'sk-ant-api03-aB3dE5gH7jK9mN1pQ3',
    'eyJ',
    'eyJhbGciOiJIUzI1NiJ9.',
    '-----BEGIN PRIVATE KEY-----\n',
    '-----END PRIVATE KEY-----\n',
    `-----BEGIN PRIVATE KEY-----\n${'aB3dE5gH'.repeat(8)}\n`,
    `${'aB3dE5gH'.repeat(8)}\n`,
    '://a:b',
    '://a:b@',
    'password: ',
    'password password ',
    'machine a login a password ',
    'Basic aaaa',
    'A',
    'EAAA',
    '1:AA',
    '0Q~',
    '+/=-*#"\'',
    'AccountKey=',
    ' ',
  ])('%j again and again', (unit) => {
    const whole = workOf(unit.repeat(Math.ceil(size / unit.length)));
    const half = workOf(unit.repeat(Math.ceil(size / 2 / unit.length)));
    expect(whole.hits).toBeLessThanOrEqual(size);
    expect(whole.bytesRead).toBeLessThanOrEqual(size * 100);
    expect(whole.bytesRead).toBeLessThanOrEqual(2 * half.bytesRead + 10_000);
  });

  function workOf(text: string) {
    const before = scanner.work();
    scanner.find(Buffer.from(text));
    const after = scanner.work();
    return { hits: after.hits - before.hits, bytesRead: after.bytesRead - before.bytesRead };
  }
});

describe('keywords are found wherever they stand', () => {
  const seed = 20261130;
  it(`as a naive search finds them, in random texts (seed ${seed})`, () => {
    const random = new SeededRandom(seed);
    const keywords = ['abca', 'bcab', '_ab_c', 'aaaa', 'cab:a', 'b_b_b_b'];
    const finder = createKeywordFinder(keywords);
    const letters = ['a', 'b', 'c', '_', ':', 'A', 'B', 'é'];
    for (let round = 0; round < 300; round++) {
      const text = Buffer.from(
        Array.from({ length: random.below(200) }, () => random.pick(letters)).join(''),
      );
      const found: string[] = [];
      finder.each(text, (keyword, start, end) => found.push(`${start}-${end} ${keywords[keyword]}`));
      expect(found.sort()).toEqual(naive(text, keywords).sort());
    }
  });

  it('also across the blocks that a long text is read in', () => {
    const keywords = ['keyword'];
    const finder = createKeywordFinder(keywords);
    for (let at = 65_520; at < 65_545; at++) {
      const text = Buffer.alloc(140_000, ' ');
      text.write('KeyWord', at);
      const found: number[] = [];
      finder.each(text, (_, start) => found.push(start));
      expect(found).toEqual([at]);
    }
  });

  function naive(text: Buffer, keywords: readonly string[]): string[] {
    const folded = text.toString('latin1').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    return keywords.flatMap((keyword) => {
      const places: string[] = [];
      for (let at = folded.indexOf(keyword); at >= 0; at = folded.indexOf(keyword, at + 1)) {
        places.push(`${at}-${at + keyword.length} ${keyword}`);
      }
      return places;
    });
  }
});

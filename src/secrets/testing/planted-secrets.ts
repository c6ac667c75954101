import { SeededRandom } from '../../base/testing/seeded-random.ts';

/** Made up while a test runs, so that no text in this repository looks like a credential. */
export interface PlantedSecret {
  kind: string;
  /** Text around it, with the credential in it. */
  text: string;
  /** What must not be left of it. */
  secret: string;
}

const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const lower = upper.toLowerCase();
const digits = '0123456789';
const hex = `${digits}abcdef`;
const mixed = upper + lower + digits;
const base64 = `${mixed}+/`;
const word = `${mixed}_-`;

/** One of each kind. The same seed makes the same ones. */
export function plantedSecrets(seed: number): PlantedSecret[] {
  const random = new SeededRandom(seed);
  const some = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet[random.below(alphabet.length)]).join('');
  const uuid = () => [8, 4, 4, 4, 12].map((length) => some(hex, length)).join('-');
  const planted: PlantedSecret[] = [];
  const plant = (kind: string, secret: string, around: (secret: string) => string = quoted) =>
    planted.push({ kind, secret, text: around(secret) });

  plant('AWS access key id', `AK${'IA'}${some(`${upper}234567`, 16)}`);
  plant('AWS secret key', some(base64, 40), (it) => `aws_secret_access_key = ${it}`);
  for (const kind of ['p', 'o', 'u', 's', 'r']) plant(`GitHub gh${kind}`, `gh${kind}_${some(mixed, 36)}`);
  plant('GitHub fine-grained', `github${'_pat_'}${some(mixed, 22)}_${some(mixed, 59)}`);
  for (const kind of ['pat', 'rt', 'dt']) plant(`GitLab gl${kind}`, `gl${kind}-${some(word, 20)}`);
  plant('Slack bot', `xox${'b-'}${some(digits, 12)}-${some(digits, 12)}-${some(mixed, 24)}`);
  plant(
    'Slack user',
    `xox${'p-'}${some(digits, 12)}-${some(digits, 12)}-${some(digits, 12)}-${some(hex, 32)}`,
  );
  plant('Slack app', `xapp${'-1-'}A${some(upper + digits, 10)}-${some(digits, 13)}-${some(hex, 64)}`);
  plant(
    'Slack webhook',
    `T${some(upper, 8)}/B${some(upper, 8)}/${some(mixed, 24)}`,
    (it) => `"https://hooks.slack.com/services/${it}"`,
  );
  plant('Stripe', `sk${'_live_'}${some(mixed, 24)}`);
  plant('Google API key', `AI${'za'}${some(word, 35)}`);
  plant('Google OAuth secret', `GOC${'SPX-'}${some(word, 28)}`);
  plant(
    'GCP service account',
    some(base64, 600),
    (it) => `{"type": "service_account", "private_key": "${pem('PRIVATE KEY', it, '\\n')}\\n"}`,
  );
  plant(
    'Azure storage key',
    `${some(base64, 86)}==`,
    (it) => `DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=${it};EndpointSuffix=core`,
  );
  plant('Azure AD client secret', `${some(mixed, 3)}8Q~${some(word, 33)}x`);
  plant('OpenAI', `sk-${'proj-'}${some(word, 74)}T3Blbk${'FJ'}${some(word, 74)}`);
  plant('OpenAI legacy', `sk-${some(mixed, 20)}T3Blbk${'FJ'}${some(mixed, 20)}`);
  plant('Anthropic', `sk-${'ant-api03-'}${some(word, 93)}AA`);
  plant('Hugging Face', `h${'f_'}${some(upper + lower, 34)}`);
  plant('npm', `np${'m_'}${some(mixed, 36)}`);
  plant('npm registry line', some(hex, 36), (it) => `//registry.npmjs.org/:_authToken=${it}`);
  plant('PyPI', `pypi-AgEIcHlwaS5v${'cmc'}${some(word, 120)}`);
  plant('RubyGems', `ruby${'gems_'}${some(hex, 48)}`);
  plant('Docker Hub', `dckr${'_pat_'}${some(word, 27)}`);
  plant(
    'Docker login',
    Buffer.from(`acme:${some(mixed, 14)}`)
      .toString('base64')
      .replace(/=+$/, ''),
    (it) => `{"auths": {"r.acme.test": {"auth": "${it}${'='.repeat((4 - (it.length % 4)) % 4)}"}}}`,
  );
  plant('Twilio', `S${'K'}${some(hex, 32)}`);
  plant('Twilio auth token', some(hex, 32), (it) => `TWILIO_AUTH_TOKEN=${it}`);
  plant('SendGrid', `S${'G.'}${some(word, 22)}.${some(word, 43)}`);
  plant('Mailgun', `ke${'y-'}${some(hex, 32)}`);
  plant('Mailchimp', `${some(hex, 32)}-us${'12'}`);
  plant('Heroku', uuid(), (it) => `HEROKU_API_KEY: ${it}`);
  plant('DigitalOcean', `dop${'_v1_'}${some(hex, 64)}`);
  plant('Shopify', `shp${'at_'}${some(hex, 32)}`);
  plant('Square', `sq0${'atp-'}${some(word, 22)}`);
  plant(
    'Discord',
    `M${some(mixed, 23)}.${some(mixed, 6)}.${some(word, 38)}`,
    (it) => `client.login('${it}')`,
  );
  plant(
    'Discord webhook',
    some(word, 68),
    (it) => `https://discord.com/api/webhooks/${some(digits, 18)}/${it}`,
  );
  plant('Telegram', `${some('123456789', 10)}:A${'A'}${some(word, 33)}`);
  plant('Dropbox', `s${'l.'}${some(word, 138)}`);
  plant('Databricks', `da${'pi'}${some(hex, 32)}`);
  plant('Datadog', some(hex, 40), (it) => `DD_APP_KEY=x\ndatadog_api_key: "${it}"`);
  plant('New Relic', `NR${'AK-'}${some(upper + digits, 27)}`);
  plant('Grafana', `gls${'a_'}${some(mixed, 32)}_${some(hex, 8)}`);
  plant('Vault', `hv${'s.'}${some(word, 95)}`);
  plant('Terraform Cloud', `${some(mixed, 14)}.atlas${'v1.'}${some(word, 67)}`);
  plant('Linear', `lin${'_api_'}${some(mixed, 40)}`);
  plant('Notion', `nt${'n_'}${some(digits, 11)}${some(mixed, 35)}`);
  plant('Figma', `fig${'d_'}${some(word, 40)}`);
  plant('Atlassian', `ATA${'TT3'}${some(word, 186)}`);
  plant('Postman', `PM${'AK-'}${some(hex, 24)}-${some(hex, 34)}`);
  plant('PlanetScale', `pscale${'_tkn_'}${some(word, 43)}`);
  plant('Fastly', some(word, 32).replace(/^../, 'a1'), (it) => `fastly_api_token = "${it}"`);
  plant('Cloudflare', some(word, 40).replace(/^../, 'a1'), (it) => `CLOUDFLARE_API_TOKEN="${it}"`);
  plant('Facebook', `EA${'AC'}${some(mixed, 150)}`);
  plant('Twitter', `${'A'.repeat(22)}${some(mixed, 40)}%2B${some(mixed, 40)}`);
  for (const label of ['RSA PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'EC PRIVATE KEY', 'PGP PRIVATE KEY BLOCK']) {
    plant(label, some(base64, 64), (it) =>
      pem(label, `${it}\n${some(base64, 64)}\n${some(base64, 20)}==`, '\n'),
    );
  }
  plant(
    'private key in code',
    some(base64, 64),
    (it) => `const key = "${pem('PRIVATE KEY', it, '\\n" +\n  "')}";`,
  );
  plant('private key in a change', some(base64, 64), (it) => `+${pem('RSA PRIVATE KEY', it, '\n+')}\n`);
  plant(
    'JSON web token',
    `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded({ sub: some(mixed, 10), iat: 1 })}.${some(word, 43)}`,
  );
  plant('credential in a URL', some(mixed, 14), (it) => `postgres://acme:${it}@db.acme.test:5432/main`);
  plant('password alone in a URL', some(mixed, 14), (it) => `redis://:${it}@cache.acme.test:6379`);
  plant(
    'assigned password',
    `${some(lower, 4)}${some(upper, 3)}${some(digits, 3)}!x`,
    (it) => `password = "${it}"`,
  );
  const password = () => `${some(lower, 4)}${some(upper, 3)}${some(digits, 3)}!x`;
  plant('password in an environment file', password(), (it) => `DB_PASSWORD=${it}\n`);
  plant('password in a connection string', password(), (it) => `"Server=db;User Id=sa;Password=${it};"`);
  plant('password in a tag', password(), (it) => `<password>${it}</password>`);
  plant('password as an argument', password(), (it) => `client.setPassword("${it}");`);
  plant('password in YAML', password(), (it) => `smtp:\n  password: ${it}\n`);
  plant('assigned key', some(mixed, 32).replace(/^..../, 'a1B2'), (it) => `{"apiKey": "${it}"}`);
  plant(
    'secret in an environment file',
    some(hex, 64).replace(/^..../, 'a1b2'),
    (it) => `SESSION_SECRET=${it}`,
  );
  plant('netrc', `${some(mixed, 12)}`, (it) => `machine git.acme.test\n  login bob\n  password ${it}\n`);
  plant(
    'basic authorization',
    Buffer.from(`bob:${some(mixed, 12)}`)
      .toString('base64')
      .replace(/=+$/, ''),
    (it) => `Authorization: Basic ${it}${'='.repeat((4 - (it.length % 4)) % 4)}`,
  );
  plant(
    'bearer authorization',
    some(mixed, 40).replace(/^..../, 'a1B2'),
    (it) => `curl -H "Authorization: Bearer ${it}"`,
  );
  plant('login in a change of a netrc', `${some(mixed, 10)}a1`, (it) => `+  login bob\n+  password ${it}\n`);
  const short = () => `${some(lower, 4)}${some('23456789', 1)}${some(lower, 3)}`;
  plant('short password', short(), (it) => `password = "${it}"`);
  plant('short password in YAML', short(), (it) => `db:\n  passwd: ${it}\n`);
  plant('short password in an ini file', short(), (it) => `[db]\npwd=${it}\n`);
  plant('short secret', short(), (it) => `{"client_secret": "${it}"}`);
  plant(
    'password with a dollar sign',
    `Pa$$${some(lower, 3)}${some('23456789', 3)}`,
    (it) => `password: '${it}'`,
  );
  plant('hex secret', some(hex, 32).replace(/^..../, 'a1b2'), (it) => `secret_key_base: ${it}\n`);
  plant('curl login', some(mixed, 12), (it) => `curl -sS -u bob:${it} https://acme.test/`);
  plant(
    'curl login over lines',
    some(mixed, 12),
    (it) => `curl -X POST \\\n  --user "bob:${it}" https://acme.test/`,
  );
  plant(
    'PuTTY key',
    some(base64, 48),
    (it) =>
      `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: bob\nPublic-Lines: 1\n${some(base64, 64)}\nPrivate-Lines: 1\n${it}\nPrivate-MAC: ${some(hex, 64)}`,
  );
  plant('Vault legacy', `s.${some(mixed, 22)}a1`, (it) => `X-Vault-Token: ${it}\n`);
  plant('age key', `AGE-SECRET-${'KEY-1'}${some('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}`);
  plant('Periscope token', `ps${'c_'}${some(word, 43)}`);
  return planted;
}

const quoted = (secret: string): string => `const value = "${secret}";`;
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function pem(label: string, body: string, separator: string): string {
  return [`-----BEGIN ${label}-----`, body, `-----END ${label}-----`].join(separator);
}

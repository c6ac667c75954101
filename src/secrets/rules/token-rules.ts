import { isPlaceholder, looksRandom } from '../randomness.ts';
import { isEncodedLogin } from './encoded-logins.ts';

/**
 * Credentials that are known by how they begin. The formats are those of the gitleaks rules (MIT, see NOTICE), written anew for
 * this matcher: a pattern is tried at one place, the keyword's, so it has no search of its own and every repetition is bounded.
 */
export interface TokenRule {
  id: string;
  /** Found in either case; the pattern tells the case. */
  keywords: readonly string[];
  /** Of the whole credential, which begins `before` bytes ahead of the keyword. */
  pattern: RegExp;
  before?: number;
  /** Digits that stand directly before the keyword and belong to the credential. */
  digitsBefore?: { min: number; max: number };
  /** Bits per character below which it is a placeholder. Default 2.5. */
  entropyMin?: number;
  /** The credential may go on from the pattern's end by these bytes, however long. */
  goesOn?: 'word' | 'base64';
  /** What is overwritten begins after this much of the match. Default: all of it. */
  keep?: RegExp;
  /** The credential may follow a letter or a digit. */
  anywhere?: boolean;
  /** The credential does not stand within base64: what is before it is no `/` or `+` either. */
  notInBase64?: boolean;
  /** What else a credential has to be. */
  check?: (secret: string) => boolean;
  /** Bytes that the pattern may reach. Default 200. */
  reach?: number;
  /** Default `block`. */
  confidence?: 'block' | 'warn';
}

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const digits = [...'0123456789'];
const hexDigits = [...digits, ...letters.slice(0, 6)];
const wordCharacters = [...letters, ...digits, '_', '-'];

/** The keyword with each of what may follow it: three bytes alone are too few to be looked for. */
const followedBy = (keyword: string, characters: readonly string[]): string[] =>
  characters.map((character) => keyword + character);

/** What ends a token: anything that could not be a part of it. */
const end = '(?![A-Za-z0-9_-])';

/** Also from line to line in a change. */
const netrcGap = '[\\s+>-]{1,8}';
const netrcStart = `login${netrcGap}\\S{1,100}${netrcGap}password${netrcGap}`;
const netrcLogin = `${netrcStart}[^\\s<>{}$"'()\\\\]{6,200}`;

export const tokenRules: readonly TokenRule[] = [
  rule('aws-access-key-id', ['akia', 'asia', 'abia', 'acca'], `(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}${end}`, {
    entropyMin: 3,
  }),
  rule('aws-bedrock-key', ['absk'], 'ABSK[A-Za-z0-9+/]{109,269}', {
    reach: 480,
    notInBase64: true,
    entropyMin: 3,
  }),
  rule('aws-mws-key', ['amzn.mws.'], `amzn\\.mws\\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}${end}`),
  rule('alibaba-access-key-id', ['ltai'], `LTAI[A-Za-z0-9]{20}${end}`, { entropyMin: 3 }),

  rule('github-token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], 'gh[pousr]_[A-Za-z0-9]{36}', {
    goesOn: 'word',
  }),
  rule('github-fine-grained-token', ['github_pat_'], 'github_pat_[A-Za-z0-9_]{60}', {
    goesOn: 'word',
    entropyMin: 3,
  }),
  rule(
    'gitlab-token',
    [
      'glpat-',
      'gldt-',
      'glft-',
      'glrt-',
      'glptt-',
      'glcbt-',
      'glimt-',
      'gloas-',
      'glsoat-',
      'glffct-',
      'glagent-',
    ],
    'gl(?:pat|dt|ft|rt|ptt|cbt|imt|oas|soat|ffct|agent)-[A-Za-z0-9_-]{20}',
    { goesOn: 'word', entropyMin: 3 },
  ),
  rule('gitlab-runner-registration', ['gr1348941'], 'GR1348941[\\w-]{20}', { goesOn: 'word' }),
  rule('gitlab-session', ['_gitlab_session='], '_gitlab_session=[0-9a-f]{32}', {
    keep: /^_gitlab_session=/,
    anywhere: true,
  }),

  rule(
    'slack-token',
    ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxo-', 'xoxe-', 'xoxc-', 'xoxd-'],
    'xox[abceoprsd]-[A-Za-z0-9-]{16}',
    { goesOn: 'word' },
  ),
  rule('slack-config-token', ['xoxe.xox'], 'xoxe\\.xox[bp]-[A-Za-z0-9-]{16}', { goesOn: 'word' }),
  rule('slack-app-token', ['xapp-'], 'xapp-\\d-[A-Z0-9]{1,20}-\\d{1,20}-[a-z0-9]{16}', { goesOn: 'word' }),
  rule(
    'slack-webhook',
    ['hooks.slack.com/'],
    'hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{40,100}',
    { keep: /^hooks\.slack\.com\/[a-z]+\// },
  ),

  rule(
    'stripe-key',
    ['sk_live_', 'sk_test_', 'sk_prod_', 'rk_live_', 'rk_test_', 'rk_prod_'],
    '[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16}',
    { goesOn: 'word' },
  ),
  rule('stripe-webhook-secret', ['whsec_'], 'whsec_[A-Za-z0-9+/=]{32}', { goesOn: 'base64' }),

  rule('google-api-key', ['aiza'], `AIza[\\w-]{35}${end}`, { entropyMin: 3 }),
  rule('google-oauth-secret', ['gocspx-'], 'GOCSPX-[\\w-]{28}', { goesOn: 'word' }),
  rule('google-oauth-token', ['ya29.'], 'ya29\\.[\\w-]{30}', { goesOn: 'word' }),
  rule('google-refresh-token', ['1//0'], `1//0[\\w-]{60,120}${end}`, { entropyMin: 3.5 }),

  rule('azure-storage-key', ['accountkey='], 'AccountKey=[A-Za-z0-9+/]{86}==', {
    keep: /^AccountKey=/i,
    flags: 'i',
    anywhere: true,
  }),
  rule('azure-shared-access-key', ['sharedaccesskey='], 'SharedAccessKey=[A-Za-z0-9+/]{43}=', {
    keep: /^SharedAccessKey=/i,
    flags: 'i',
    anywhere: true,
  }),
  rule('azure-sas-signature', ['sig='], 'sig=[A-Za-z0-9%/+]{40,80}(?:%3D|=)', {
    keep: /^sig=/,
    entropyMin: 3.5,
  }),
  rule(
    'azure-client-secret',
    digits.flatMap((digit) => followedBy(`${digit}q~`, [...wordCharacters, '.', '~'])),
    `[A-Za-z0-9_~.]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}${end}`,
    {
      before: 3,
      entropyMin: 3,
    },
  ),
  rule('azure-devops-token', ['azdo'], `[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}${end}`, {
    before: 76,
    entropyMin: 3,
  }),

  rule(
    'openai-key',
    ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-service-'],
    'sk-(?:proj|svcacct|admin|service)-[\\w-]{20}',
    { goesOn: 'word', entropyMin: 3 },
  ),
  rule('openai-legacy-key', ['t3blbkfj'], `sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}${end}`, { before: 23 }),
  rule('anthropic-key', ['sk-ant-'], 'sk-ant-[a-z0-9]{1,12}-[\\w-]{24}', { goesOn: 'word', entropyMin: 3 }),
  rule('openrouter-key', ['sk-or-v1-'], 'sk-or-v1-[0-9a-f]{64}', { entropyMin: 3 }),
  rule(
    'huggingface-token',
    [...followedBy('hf_', letters), 'api_org_'],
    `(?:hf_|api_org_)[A-Za-z]{34}${end}`,
    { entropyMin: 3.5 },
  ),
  rule('groq-key', ['gsk_'], `gsk_[A-Za-z0-9]{52}${end}`, { entropyMin: 3 }),
  rule('replicate-token', followedBy('r8_', [...letters, ...digits]), `r8_[A-Za-z0-9]{37}${end}`, {
    entropyMin: 3,
  }),
  rule('perplexity-key', ['pplx-'], `pplx-[A-Za-z0-9]{48}${end}`, { entropyMin: 3 }),
  rule('xai-key', ['xai-'], `xai-[A-Za-z0-9]{80}${end}`, { entropyMin: 3 }),

  rule('npm-token', ['npm_'], `npm_[A-Za-z0-9]{36}${end}`, { entropyMin: 3 }),
  rule('pypi-token', ['pypi-ageichlwas5vcmc', 'pypi-agendgvzdc5wexbp'], 'pypi-Ag[\\w-]{50}', {
    goesOn: 'word',
    entropyMin: 3,
  }),
  rule('rubygems-key', ['rubygems_'], `rubygems_[a-f0-9]{48}${end}`, { entropyMin: 3 }),
  rule('clojars-token', ['clojars_'], `CLOJARS_[a-f0-9]{60}${end}`, { entropyMin: 3, flags: 'i' }),
  rule('docker-hub-token', ['dckr_pat_', 'dckr_oat_'], 'dckr_[po]at_[\\w-]{27}', {
    goesOn: 'word',
    entropyMin: 3,
  }),
  rule('artifactory-key', ['akcp'], `AKCp[A-Za-z0-9]{69}${end}`, { notInBase64: true, entropyMin: 3.5 }),
  rule('artifactory-reference-token', ['cmvmd'], `cmVmd[A-Za-z0-9]{59}${end}`, {
    notInBase64: true,
    entropyMin: 3.5,
  }),

  rule(
    'twilio-key',
    hexDigits.flatMap((digit) => followedBy(`sk${digit}`, hexDigits)),
    `SK[0-9a-f]{32}${end}`,
    { entropyMin: 3 },
  ),
  rule('sendgrid-key', followedBy('sg.', wordCharacters), `SG\\.[\\w-]{16,32}\\.[\\w-]{32,64}${end}`, {
    entropyMin: 3.5,
  }),
  rule('sendinblue-key', ['xkeysib-'], 'xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}', { entropyMin: 3 }),
  rule('mailgun-key', ['key-'], `key-[0-9a-f]{32}${end}`, { entropyMin: 3 }),
  rule('mailchimp-key', followedBy('-us', digits), `[0-9a-f]{32}-us\\d{1,2}${end}`, {
    before: 32,
    entropyMin: 3,
  }),

  rule('heroku-key', ['hrku-aa'], 'HRKU-AA[\\w-]{58}', { entropyMin: 3 }),
  rule('digitalocean-token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], `do[opr]_v1_[a-f0-9]{64}${end}`, {
    entropyMin: 3,
  }),
  rule(
    'shopify-token',
    ['shpat_', 'shpca_', 'shppa_', 'shpss_'],
    `shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}${end}`,
    { entropyMin: 3 },
  ),
  rule('square-token', ['sq0atp-', 'sq0csp-'], 'sq0(?:atp|csp)-[\\w-]{22,60}', { entropyMin: 3 }),
  rule('square-access-token', ['eaaa'], `EAAA[\\w-]{60}${end}`, { notInBase64: true, entropyMin: 3.5 }),
  rule('facebook-token', followedBy('eaa', letters), 'EAA[A-Z][A-Za-z0-9]{90}', {
    goesOn: 'word',
    notInBase64: true,
    entropyMin: 4,
  }),
  rule(
    'twitter-bearer-token',
    ['aaaaaaaaaaaaaaaaaaaaa'],
    'A{21,22}(?=[A-Za-z0-9]{0,99}%)[A-Za-z0-9%]{80,120}',
    { keep: /^A+/, entropyMin: 3 },
  ),
  rule('discord-webhook', ['/api/webhooks/'], '/api/webhooks/\\d{16,20}/[\\w-]{60,80}', {
    keep: /^\/api\/webhooks\/\d+\//,
    anywhere: true,
  }),
  rule(
    'discord-bot-token',
    ['client.login(', 'bot.run(', 'bot.login(', 'client.run('],
    '(?:client|bot)\\.(?:login|run)\\(\\s{0,8}["\'][MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,38}',
    { keep: /^[^"']+["']/, anywhere: true },
  ),
  rule('telegram-bot-token', followedBy(':aa', wordCharacters), `\\d{8,10}:AA[\\w-]{33}${end}`, {
    digitsBefore: { min: 8, max: 10 },
    entropyMin: 3,
  }),
  rule('dropbox-token', followedBy('sl.', wordCharacters), 'sl\\.(?:u\\.)?[\\w=-]{130}', {
    goesOn: 'word',
    entropyMin: 3.5,
  }),
  rule(
    'teams-webhook',
    ['.webhook.office.com/webhookb2/'],
    '\\.webhook\\.office\\.com/webhookb2/[0-9a-f@-]{60,80}/IncomingWebhook/[0-9a-f]{32}/[0-9a-f-]{36}',
    { reach: 480, keep: /^\.webhook\.office\.com\/webhookb2\//, anywhere: true },
  ),

  rule('databricks-token', ['dapi'], `dapi[a-f0-9]{32}(?:-\\d)?${end}`, { entropyMin: 3 }),
  rule(
    'new-relic-key',
    ['nrak-', 'nrii-', 'nrra-', 'nrjs-'],
    `NR(?:AK-[A-Z0-9]{27}|II-[\\w-]{32}|RA-[0-9a-f]{42}|JS-[0-9a-f]{19})${end}`,
    { entropyMin: 2.5 },
  ),
  rule('grafana-token', ['glsa_'], `glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}${end}`, { entropyMin: 3 }),
  rule('grafana-cloud-token', ['glc_'], 'glc_[A-Za-z0-9+/]{32}', { goesOn: 'base64', entropyMin: 3 }),
  rule('grafana-api-key', ['eyjrijoi'], 'eyJrIjoi[A-Za-z0-9+/]{60}', { goesOn: 'base64', entropyMin: 3 }),
  rule('dynatrace-token', ['dt0c01.', 'dt0s16.'], `dt0[cs]\\d\\d\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}${end}`, {
    entropyMin: 3,
  }),
  rule('sentry-token', ['sntryu_', 'sntrys_'], 'sntry[us]_[A-Za-z0-9+/=_]{43}', {
    goesOn: 'base64',
    entropyMin: 3,
  }),

  rule('vault-token', ['hvs.', 'hvb.', 'hvr.'], 'hv[sbr]\\.[\\w-]{24}', { goesOn: 'word', entropyMin: 3.5 }),
  rule('terraform-cloud-token', ['.atlasv1.'], `[A-Za-z0-9]{14}\\.atlasv1\\.[\\w=-]{60,70}`, {
    before: 14,
    entropyMin: 3,
  }),
  rule('pulumi-token', ['pul-'], `pul-[a-f0-9]{40}${end}`, { entropyMin: 3 }),
  rule(
    'doppler-token',
    ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.'],
    'dp\\.(?:pt|st|ct|sa)\\.(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}',
    { entropyMin: 3 },
  ),
  rule('linear-key', ['lin_api_', 'lin_oauth_'], 'lin_(?:api|oauth)_[A-Za-z0-9]{40}', {
    goesOn: 'word',
    entropyMin: 3,
  }),
  rule('notion-token', ['ntn_'], `ntn_[0-9]{11}[A-Za-z0-9]{35}${end}`, { entropyMin: 3 }),
  rule('notion-legacy-token', ['secret_'], `secret_[A-Za-z0-9]{43}${end}`, { entropyMin: 3.8 }),
  rule('figma-token', ['figd_', 'figu_', 'figo_'], 'fig[duo]_[\\w-]{38}', { goesOn: 'word', entropyMin: 3 }),
  rule(
    'atlassian-token',
    ['atatt3', 'atctt3', 'atbb', 'atcta'],
    '(?:AT[AC]TT3[\\w=-]{60}|ATCTA[\\w=-]{60}|ATBB[A-Za-z0-9]{32})',
    { goesOn: 'word', entropyMin: 3 },
  ),
  rule('postman-key', ['pmak-'], `PMAK-[a-f0-9]{24}-[a-f0-9]{34}${end}`, { entropyMin: 3 }),
  rule(
    'planetscale-token',
    ['pscale_tkn_', 'pscale_oauth_', 'pscale_pw_'],
    'pscale_(?:tkn|oauth|pw)_[\\w=.-]{32}',
    { goesOn: 'word', entropyMin: 3 },
  ),
  rule('cloudflare-origin-key', ['v1.0-'], 'v1\\.0-[a-f0-9]{24}-[a-f0-9]{146}', { entropyMin: 3 }),
  rule('cloudflare-token', ['cfut_', 'cfat_', 'cfk_'], 'cf(?:ut|at|k)_[A-Za-z0-9]{40}', {
    goesOn: 'word',
    entropyMin: 3,
  }),
  rule('netlify-token', ['nfp_', 'nfc_'], `nf[pc]_[A-Za-z0-9]{36}${end}`, { entropyMin: 3 }),
  rule(
    'fly-token',
    ['fo1_', 'fm1r_', 'fm1a_', 'fm2_'],
    '(?:fo1_[\\w-]{43}|fm1[ar]_[A-Za-z0-9+/]{100}|fm2_[A-Za-z0-9+/]{100})',
    { goesOn: 'base64', entropyMin: 3 },
  ),
  rule('sourcegraph-token', ['sgp_'], `sgp_(?:(?:[a-fA-F0-9]{16}|local)_)?[a-fA-F0-9]{40}${end}`, {
    entropyMin: 3,
  }),
  rule('prefect-token', ['pnu_'], `pnu_[A-Za-z0-9]{36}${end}`, { entropyMin: 3 }),
  rule('typeform-token', ['tfp_'], 'tfp_[\\w.=-]{59}', { entropyMin: 3 }),
  rule('readme-key', ['rdme_'], `rdme_[a-z0-9]{70}${end}`, { entropyMin: 3 }),
  rule('shippo-token', ['shippo_'], `shippo_(?:live|test)_[a-f0-9]{40}${end}`, { entropyMin: 3 }),
  rule('duffel-token', ['duffel_'], 'duffel_(?:test|live)_[\\w=-]{43}', { entropyMin: 3 }),
  rule('easypost-key', ['ezak', 'eztk'], `EZ[AT]K[A-Za-z0-9]{54}${end}`, { entropyMin: 3 }),
  rule('openshift-token', ['sha256~'], `sha256~[\\w-]{43}${end}`, { entropyMin: 3.5 }),
  rule('1password-token', ['ops_eyj'], 'ops_eyJ[A-Za-z0-9+/]{250}', {
    reach: 480,
    goesOn: 'base64',
    entropyMin: 3.5,
  }),
  rule('age-secret-key', ['age-secret-key-1'], 'AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}', {
    entropyMin: 3,
  }),
  rule('basic-authorization', ['basic '], '[Bb]asic {1,4}[A-Za-z0-9+/]{8,400}={0,2}', {
    reach: 480,
    keep: /^[Bb]asic +/,
    check: isEncodedLogin,
  }),
  rule('docker-login', ['"auth"'], '"auth"\\s{0,8}:\\s{0,8}"[A-Za-z0-9+/]{8,400}={0,2}(?=")', {
    reach: 480,
    keep: /^"auth"\s*:\s*"/,
    check: isEncodedLogin,
    anywhere: true,
  }),
  rule('bearer-authorization', ['bearer '], '[Bb]earer {1,4}[\\w.~+/-]{20,400}={0,2}', {
    reach: 480,
    keep: /^[Bb]earer +/,
    check: (secret) => looksRandom(secret) && !isPlaceholder(secret),
    confidence: 'warn',
  }),
  rule('netrc-password', ['machine '], `machine${netrcGap}[\\w.-]{1,100}${netrcGap}${netrcLogin}`, {
    reach: 480,
    keep: new RegExp(`^machine${netrcGap}[\\w.-]+${netrcGap}${netrcStart}`),
    check: (secret) => !isPlaceholder(secret),
    entropyMin: 2,
  }),
  // A change or a page may show the end alone; prose has these words too.
  rule('netrc-password', ['login '], netrcLogin, {
    reach: 360,
    keep: new RegExp(`^${netrcStart}`),
    check: (secret) => !isPlaceholder(secret) && /\d/.test(secret) && /[A-Za-z]/.test(secret),
    entropyMin: 2,
  }),
  rule('periscope-token', ['psc_'], `psc_[\\w-]{43}${end}`, { entropyMin: 3 }),
];

function rule(
  id: string,
  keywords: readonly string[],
  pattern: string,
  { flags = '', ...options }: Omit<TokenRule, 'id' | 'keywords' | 'pattern'> & { flags?: string } = {},
): TokenRule {
  return { id, keywords, pattern: new RegExp(pattern, `y${flags}`), ...options };
}

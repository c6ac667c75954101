import { isPlaceholder, looksRandom } from '../randomness.ts';
import type { SecretSpan } from '../types.ts';

/** Short ones, looked for with what ends the name. */
export const shortNames = ['pwd', 'pass'];
export const nameEnds = '=: "\'`>](';

/** Names that are given a credential, found anywhere within a longer name. */
export const nameKeywords = [
  'password',
  'passwd',
  'passphrase',
  'passwort',
  'secret',
  'token',
  'api_key',
  'apikey',
  'api-key',
  'api.key',
  'access_key',
  'accesskey',
  'access-key',
  'auth_key',
  'authkey',
  'auth-key',
  'account_key',
  'account-key',
  'private_key',
  'privatekey',
  'private-key',
  'signing_key',
  'signingkey',
  'signing-key',
  'encryption_key',
  'encryptionkey',
  'master_key',
  'masterkey',
  'app_key',
  'appkey',
  'app-key',
  'consumer_key',
  'consumerkey',
  'subscription_key',
  'subscriptionkey',
  'shared_key',
  'sharedkey',
  'license_key',
  'licensekey',
  'credential',
];

/** What a name says that is no credential, or not a secret one. */
const harmlessName =
  /public|pub_?key|(?:^|[_.-])(?:id|ids)$|key_?id$|hash|digest|checksum|fingerprint|integrity|(?:name|path|file|dir|url|uri|endpoint|type|class|field|label|header|prefix|suffix|pattern|regex|format|length|size|count|limit|ttl|expiry|expires|version|placeholder|message|text|title|hint|index|kind)$|csrf|xsrf|page_?token|cursor|continuation|etag|cache|partition|tokenizer|sha\d/i;

const camelCaseId = /[a-z]Ids?$/;

/** Of a provider, the form that its keys have where nothing in them tells it. The name has to speak of the provider. */
const providerForms: readonly { id: string; name: RegExp; value: RegExp }[] = [
  form('aws-secret-access-key', /aws|amazon|secret_?access_?key/, /^[A-Za-z0-9/+]{40}$/),
  form('datadog-key', /datadog|(?:^|[_.-])dd[_.-]/, /^(?:[a-f0-9]{32}|[a-f0-9]{40})$/),
  form('heroku-key', /heroku/, /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  form('twilio-auth-token', /twilio/, /^[0-9a-f]{32}$/),
  form('fastly-token', /fastly/, /^[\w-]{32}$/),
  form('cloudflare-key', /cloudflare|(?:^|[_.-])cf[_.-]/, /^(?:[\w-]{40}|[a-f0-9]{37})$/),
  form('discord-secret', /discord/, /^(?:[\w-]{32}|[a-f0-9]{64}|[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,38})$/),
  form('facebook-secret', /facebook|(?:^|[_.-])fb[_.-]/, /^[a-f0-9]{32}$/),
  form(
    'twitter-secret',
    /twitter/,
    /^(?:[A-Za-z0-9]{25}|[A-Za-z0-9]{45}|[A-Za-z0-9]{50}|\d{15,20}-[A-Za-z0-9]{20,40})$/,
  ),
  form('dropbox-secret', /dropbox/, /^(?:[a-z0-9]{15}|[a-z0-9]{11}A{10}[\w=-]{43})$/),
  form(
    'azure-secret',
    /azure|(?:^|[_.-])arm[_.-]/,
    /^(?:[A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{86}==|[\w~.-]{34,40})$/,
  ),
  form('atlassian-secret', /atlassian|jira|confluence|bitbucket/, /^[A-Za-z0-9]{24}$/),
  form('algolia-key', /algolia/, /^[a-f0-9]{32}$/),
  form('okta-token', /okta/, /^00[\w-]{40}$/),
  form('snyk-token', /snyk/, /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  form('travis-token', /travis/, /^[A-Za-z0-9_-]{22}$/),
  form('vault-token', /vault|token/, /^[sbr]\.[A-Za-z0-9]{24}(?:\.[A-Za-z0-9]{5})?$/),
];

export interface Assignment {
  name: string;
  value: string;
  isText: boolean;
  endsLine: boolean;
}

/** Which rule an assignment fulfils, or null. The cheapest doubt comes first. */
export function assignedRule(assignment: Assignment): Pick<SecretSpan, 'rule' | 'confidence'> | null {
  const { name, value } = assignment;
  // A dollar sign before a name is a variable, two are one that is meant.
  if (value.length < 8 || /[\s(){}[\]<>*]|^\$|(?<!\$)\$(?:[A-Za-z_]|$)/.test(value)) return null;
  if (harmlessName.test(name) || camelCaseId.test(name) || isPlaceholder(value)) return null;
  const lowerName = name.toLowerCase();
  if (value.length >= 15 && hasDigitAndLetter(value)) {
    for (const { id, name: provider, value: shape } of providerForms) {
      if (provider.test(lowerName) && shape.test(value)) return { rule: id, confidence: 'block' };
    }
  }
  if (isKnownHarmless(value)) return null;
  if (value.length >= 16 && /^[\w+/=.~!@#%^&:-]+$/.test(value) && looksRandom(value)) {
    return { rule: 'assigned-key', confidence: 'warn' };
  }
  const isPassword =
    (/pass|pwd/.test(lowerName) && isStrictPassword(assignment)) ||
    (passwordName.test(lowerName) && isPasswordText(assignment)) ||
    (secretName.test(lowerName) && isPasswordText(assignment) && isOneWord.test(value));
  return isPassword ? { rule: 'assigned-password', confidence: 'warn' } : null;
}

function form(id: string, name: RegExp, value: RegExp) {
  return { id, name, value };
}

const hasDigitAndLetter = (value: string): boolean => /\d/.test(value) && /[A-Za-z]/.test(value);

/** What looks drawn by lot and is no secret: ids, hashes that say so, links, packages with a version. */
function isKnownHarmless(value: string): boolean {
  return (
    /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) ||
    /^(?:sha\d+|md5)[-:]/i.test(value) ||
    /:\/\/|^\/|^\.|^@|\.(?:com|org|net|io|js|ts|json|ya?ml|py|go|rb|java|html|png|svg)\b/i.test(value) ||
    /^v?\d+\.\d+\.\d+/.test(value) ||
    // The scope of a signed request: who signed for which day and region.
    /\/\d{8}\/.*_request$/.test(value)
  );
}

/** Names that end with it: what they are given is the password itself. */
const passwordName = /(?:passw(?:or)?d|passphrase|passwort|pwd|(?<!by|com|tres|sur)pass)[_-]?\d*$/;
const secretName = /secret(?:_?key(?:_?base)?)?[_-]?\d*$/;

/** Names of secrets, which are given to such names too, are several words. */
const isOneWord = /^[^_.:@-]*\d[^_.:@-]*\d[^_.:@-]*$|^[^_.:@-]*\d[^_.:@-]*[A-Za-z][^_.:@-]*$/;

const symbol = /[!@#%^&+=?~$]/;

/**
 * At least one digit, a letter and either a symbol or both cases: what a password rule asks for, and few names have. What may be an
 * expression needs all of them.
 */
function isStrictPassword({ value, isText }: Assignment): boolean {
  if (!isPasswordLike(value) || !hasDigitAndLetter(value)) return false;
  const hasCases = /[a-z]/.test(value) && /[A-Z]/.test(value);
  if (!isText) return symbol.test(value) && hasCases;
  return symbol.test(value) || (hasCases && /\d.*\D.*\d|\D\d+\D/.test(value));
}

/** A text that mixes letters with a digit or, in its midst, a symbol; without quotes, one that no variable would be named like. */
function isPasswordText({ value, isText, endsLine }: Assignment): boolean {
  if (!isPasswordLike(value) || !/[A-Za-z]/.test(value)) return false;
  if (isText) {
    return hasDigitAndLetter(value) || (/\w[!@#%^&?~$]+\w/.test(value) && !value.includes('.'));
  }
  if (!endsLine || !hasDigitAndLetter(value) || /[.:]|^[@#%&!?-]|=$/.test(value)) return false;
  if (/(?:sha|md|base|utf|u?int|float|aes|hmac|oauth|crc|str|buf)\d/i.test(value)) return false;
  return symbol.test(value) || /^\d|[A-Za-z]\d+[A-Za-z]|\d{3}$/.test(value);
}

/** No path, and no date. */
function isPasswordLike(value: string): boolean {
  return value.length <= 64 && !value.includes('/') && !/^[@?]|^--|^\d{4}-\d\d-\d\d/.test(value);
}

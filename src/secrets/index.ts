/**
 * Secrets: credentials in text, found by a table of rules and overwritten in place.
 *
 * Offers `createSecretScanner`: spans of a text that hold a credential, and masking that keeps length and line breaks. Linear in
 * the text whatever it holds. Does not know: where a text comes from or what happens to it.
 *
 * Start at create-secret-scanner.ts. keyword-finder.ts finds the places that are worth a look, rules/ says what a credential
 * looks like there, and private-keys.ts, assigned-values.ts and credential-urls.ts read the forms that no single pattern tells.
 */
export { createSecretScanner, secretKeywords } from './create-secret-scanner.ts';
export type { SecretScanner, SecretSpan } from './types.ts';

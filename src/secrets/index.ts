export type { SecretScanner, SecretSpan } from './types.ts';

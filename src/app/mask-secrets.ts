/** Our own tokens, the tokens of forges and model vendors, and credentials in URLs and headers, wherever a text may carry one. */
const secretShapes: readonly [RegExp, string][] = [
  [/\bpsc_[A-Za-z0-9_-]{20,}/g, 'psc_***'],
  [/\b(gh[pousr]_|github_pat_|glpat-|sk-ant-|sk-|xox[abprs]-|AKIA)[A-Za-z0-9_-]{10,}/g, '$1***'],
  [/\b(authorization["']?\s*[:=]\s*["']?(?:bearer|basic|token)\s+)[^\s"',}]+/gi, '$1***'],
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi, '$1***@'],
  [/([?&](?:key|api_key|access_token|token|secret|password)=)[^&\s"']+/gi, '$1***'],
];

/** For everything that is logged. Content has its own door; this is for our own words and for foreign error texts. */
export function maskSecrets(text: string): string {
  return secretShapes.reduce((masked, [shape, mask]) => masked.replace(shape, mask), text);
}

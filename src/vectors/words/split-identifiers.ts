/**
 * Parts of identifiers with spaces between them: `parseHTTPHeader_v2` becomes `parse HTTP Header v2`. What a model of words reads must
 * be words: of all that was measured, this gained the most.
 */
export function splitIdentifiers(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/_+/g, ' ');
}

/** Where in a text a fault lies, in UTF-16 units of the JavaScript string. */
export interface TextSpan {
  offset: number;
  length: number;
}

const EXCERPT_MAX = 60;

/** A message with the text below it and a caret under the fault; of a long text only what surrounds the fault. */
export function pointedAt(source: string, { offset, length }: TextSpan, what: string): string {
  const from = offset <= EXCERPT_MAX / 2 ? 0 : offset - EXCERPT_MAX / 2;
  const to = Math.min(source.length, from + EXCERPT_MAX);
  const head = from > 0 ? '...' : '';
  const tail = to < source.length ? '...' : '';
  // One visible column for each unit, so that the caret stands where it should.
  const excerpt = source.slice(from, to).replace(/[\x00-\x1f\x7f]/g, '\u00b7');
  const carets = '^'.repeat(Math.max(1, Math.min(length, to - offset)));
  return `${what}, at offset ${offset}:\n  ${head}${excerpt}${tail}\n  ${' '.repeat(head.length + offset - from)}${carets}`;
}

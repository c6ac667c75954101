import { z } from 'zod';
import { operation } from '../operation.ts';
import { answerParams, documentShape, maxTokensParam, targetParams } from '../parameters.ts';
import type { Row } from '../types.ts';
import { commitNote, placeOf, targetFacts } from './place.ts';
import { notText } from './read-file.ts';
import { requireEntry } from './require-entry.ts';
import { tooLargeToFetch } from './whole-file.ts';

/** Enough for nearly every file of source, and below what agents' clients cut off. */
const TOKENS_DEFAULT = 20_000;

export const fetchFile = operation({
  name: 'fetch_file',
  title: 'Fetch a whole file',
  description:
    'Fetch a whole file, exactly as it is and without line numbers, to copy or to transform it. For looking at code use read_file. Example: {"repo": "payments", "path": "charts/values.yaml", "revision": "main"}.',
  readOnly: true,
  isSearch: false,
  needsRepository: true,
  localOnly: true,
  tokensDefault: TOKENS_DEFAULT,
  redirect: { when: 'directory', to: 'list_directory' },
  example: { repo: 'owner/name', path: 'package.json' },
  input: z.object({
    ...targetParams,
    ...answerParams,
    max_tokens: maxTokensParam.describe(`Longest answer, in tokens. Default ${TOKENS_DEFAULT}.`),
  }),
  output: z.object({
    ...documentShape,
    lines: z.array(z.string()).describe('The file, one line each, line feeds left off.'),
    finalLineBreak: z.boolean().optional().describe('Whether a line feed follows the last line.'),
  }),
  async run(context) {
    const { target, entry } = await requireEntry(context);
    const document = await context.content.openEntry(target.mirror, entry, { signal: context.signal });
    if (document.kind !== 'text') return notText(document, target, context);
    const text = document.text();
    if (text === null) throw tooLargeToFetch(target.path, document.sizeBytes);
    const from = { line: Number(context.after?.['line'] ?? 1), byte: Number(context.after?.['byte'] ?? 0) };
    // A row costs a token at least, so more than this can never go out.
    const rows = rowsFrom(text, from, context.limits.tokens);
    const lineCount = document.lineCount ?? rows.length;
    const notes: string[] = [];
    if (document.encoding !== 'utf-8') notes.push(`The file is ${document.encoding}; given as UTF-8.`);
    if (document.maskedSpans > 0) notes.push(`${document.maskedSpans} credentials are masked.`);
    return {
      head: `${placeOf(target)}${commitNote(target)}  ${lineCount} lines, ${document.sizeBytes} bytes${from.line > 1 ? `, from line ${from.line}` : ''}:`,
      facts: {
        ...targetFacts(target),
        permalink: context.permalink(target, target.path, null),
        kind: 'text',
        encoding: document.encoding,
        sizeBytes: document.sizeBytes,
        lineCount,
        finalLineBreak: text.at(-1) === LINE_FEED,
      },
      rowsName: 'lines',
      rows,
      more: Number(rows.at(-1)?.position['byte'] ?? text.length) < text.length,
      total: lineCount,
      notes,
      empty: 'The file is empty.',
    };
  },
});

const LINE_FEED = 0x0a;

/** Lines as they are, carriage returns included; what follows the last line feed is no line of its own. */
function rowsFrom(text: Buffer, from: { line: number; byte: number }, rowsMax: number): Row[] {
  const rows: Row[] = [];
  for (let start = from.byte; start < text.length && rows.length < rowsMax; ) {
    const lineFeed = text.indexOf(LINE_FEED, start);
    const end = lineFeed === -1 ? text.length : lineFeed;
    const line = text.toString('utf8', start, end);
    start = end + 1;
    rows.push({ text: line, value: line, position: { line: from.line + rows.length + 1, byte: start } });
  }
  return rows;
}

import { z } from 'zod';
import { PeriscopeError } from '../../base/errors.ts';
import { operation } from '../operation.ts';
import { answerParams, answerShape, documentShape, maxTokensParam, targetParams } from '../parameters.ts';
import type { Row } from '../types.ts';
import { commitNote, placeOf, targetFacts } from './place.ts';
import { notText } from './read-file.ts';
import { requireEntry } from './require-entry.ts';

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
    lines: z.array(z.string()).describe('The file, one line each, line breaks left off.'),
    ...answerShape,
  }),
  async run(context) {
    const { target, entry } = await requireEntry(context);
    const document = await context.content.openEntry(target.mirror, entry, { signal: context.signal });
    if (document.kind !== 'text') return notText(document, target, context);
    const text = document.text();
    if (text === null) throw tooLargeToFetch(target.path, document.sizeBytes);
    const from = Number(context.after?.['line'] ?? 1);
    const lines = text.toString('utf8').split('\n');
    // What follows the last line break is no line of its own.
    if (lines.at(-1) === '') lines.pop();
    const rows = lines
      .slice(from - 1)
      .map((line, index): Row => ({ text: line, value: line, position: { line: from + index + 1 } }));
    const notes: string[] = [];
    if (document.encoding !== 'utf-8') notes.push(`The file is ${document.encoding}; given as UTF-8.`);
    if (document.maskedSpans > 0) notes.push(`${document.maskedSpans} credentials are masked.`);
    return {
      head: `${placeOf(target)}${commitNote(target)}  ${lines.length} lines, ${document.sizeBytes} bytes${from > 1 ? `, from line ${from}` : ''}:`,
      facts: {
        ...targetFacts(target),
        permalink: context.permalink(target, target.path, null),
        kind: 'text',
        encoding: document.encoding,
        sizeBytes: document.sizeBytes,
        lineCount: document.lineCount,
      },
      rowsName: 'lines',
      rows,
      more: false,
      notes,
      empty: 'The file is empty.',
    };
  },
});

function tooLargeToFetch(path: string, sizeBytes: number): PeriscopeError {
  return new PeriscopeError(
    'too-large',
    'operations/file-too-large',
    `"${path}" has ${sizeBytes} bytes: too many to fetch whole.`,
    'Call read_file with offset and limit.',
  );
}

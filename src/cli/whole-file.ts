import type { ToolAnswer } from '../operations/index.ts';
import { goOnWith } from './cursor-hint.ts';
import { exitCodes } from './exit-codes.ts';
import { styled } from './style.ts';

/** The tool whose answer is a file and not a report: redirected, it must give that file and nothing else. */
export const wholeFileTool = 'fetch_file';

/** The file alone on standard output, what is to be known of it on standard error. Exit code 0 only when the file is whole. */
export function showWholeFile(answer: ToolAnswer): void {
  const { lines, kind, lineCount, sizeBytes, encoding } = answer.result as Partial<FileFacts>;
  if (answer.tool !== wholeFileTool || kind !== 'text' || !lines) {
    process.stderr.write(`${answer.text}\n`);
    process.exitCode = exitCodes.failed;
    return;
  }
  const isWhole = lines.length === lineCount;
  const text = lines.join('\n');
  const endsOpen = isWhole && bytesIn(text, encoding) === sizeBytes;
  process.stdout.write(lines.length === 0 || endsOpen ? text : `${text}\n`);
  const head = answer.text.split('\n', 1)[0] ?? '';
  process.stderr.write(`${styled('bold', head)}\n${answer.notes.map((note) => `Note: ${note}\n`).join('')}`);
  process.exitCode = answer.cut ? exitCodes.failed : exitCodes.found;
  if (answer.cut) process.stderr.write(`CUT: ${lines.length} of ${lineCount} lines. ${howOn(answer)}\n`);
}

interface FileFacts {
  kind: string;
  lines: string[];
  lineCount: number;
  sizeBytes: number;
  encoding: string;
}

/** What the text takes in the file; null where the same text can be written in more than one way. */
function bytesIn(text: string, encoding: string | undefined): number | null {
  if (encoding === 'utf-8') return Buffer.byteLength(text);
  if (encoding === 'utf-8-bom') return Buffer.byteLength(text) + 3;
  return null;
}

function howOn({ cursor }: ToolAnswer): string {
  const larger = 'Ask with a larger --max-tokens for all of it.';
  return cursor ? `${goOnWith(cursor)} >> FILE. ${larger}` : larger;
}

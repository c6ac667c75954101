import type { ToolAnswer } from '../operations/index.ts';
import { exitCodes } from './exit-codes.ts';
import { goOnWith, inShellWords } from './shell-wording.ts';
import { styled } from './style.ts';

/** The tool whose answer is a file and not a report: redirected, it must give that file and nothing else. */
export const wholeFileTool = 'fetch_file';

/** The file alone on standard output, what is to be known of it on standard error. Exit code 0 only when the file is whole. */
export function showWholeFile(answer: ToolAnswer): void {
  const { lines, kind, lineCount, finalLineBreak } = answer.result as Partial<FileFacts>;
  if (answer.tool !== wholeFileTool || kind !== 'text' || !lines) {
    process.stderr.write(`${answer.text}\n`);
    process.exitCode = exitCodes.failed;
    return;
  }
  const text = lines.join('\n');
  // The last line of a part that was cut is followed by others.
  const endsOpen = !answer.cut && finalLineBreak === false;
  process.stdout.write(lines.length === 0 || endsOpen ? text : `${text}\n`);
  const head = answer.text.split('\n', 1)[0] ?? '';
  process.stderr.write(
    `${styled('bold', head)}\n${answer.notes.map((note) => `Note: ${inShellWords(note)}\n`).join('')}`,
  );
  process.exitCode = answer.cut ? exitCodes.failed : exitCodes.found;
  if (answer.cut) process.stderr.write(`CUT: ${lines.length} of ${lineCount} lines. ${howOn(answer)}\n`);
}

interface FileFacts {
  kind: string;
  lines: string[];
  lineCount: number;
  finalLineBreak: boolean;
}

function howOn({ cursor }: ToolAnswer): string {
  const larger = 'Ask with a larger --max-tokens for all of it.';
  return cursor ? `${goOnWith(cursor)} >> FILE. ${larger}` : larger;
}

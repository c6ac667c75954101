import type { ToolAnswer } from '../operations/index.ts';
import { exitCodes } from './exit-codes.ts';
import { textForShell } from './shell-wording.ts';
import { styled } from './style.ts';

/** The answer as a model reads it, or for programs. */
export function showAnswer(answer: ToolAnswer, json: boolean): void {
  process.exitCode = answer.found ? exitCodes.found : exitCodes.nothingFound;
  if (json) {
    const { tool, result, notes, cut, cursor, found } = answer;
    process.stdout.write(`${JSON.stringify({ tool, result, notes, cut, cursor, found })}\n`);
    return;
  }
  const [head = '', ...rest] = textForShell(answer).split('\n');
  process.stdout.write(`${[styled('bold', head, process.stdout), ...rest].join('\n')}\n`);
}

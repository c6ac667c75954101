import type { ToolAnswer } from '../operations/index.ts';

/** The text of an answer, its last line in the words of the command line instead of a tool call's. */
export function textForShell({ text, cursor }: ToolAnswer): string {
  if (cursor === null) return text;
  const lastLine = text.slice(text.lastIndexOf('\n') + 1);
  if (!lastLine.includes(cursor)) return text;
  return `${text.slice(0, text.length - lastLine.length)}CUT here. ${goOnWith(cursor)}`;
}

export function goOnWith(cursor: string): string {
  return `For the rest, the same command with: --cursor ${cursor}`;
}

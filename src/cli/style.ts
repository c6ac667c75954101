import { styleText } from 'node:util';

/** Colours for people at a terminal; plain bytes for pipes, for NO_COLOR and for dumb terminals. */
export function styled(
  style: 'bold' | 'red' | 'yellow' | 'dim' | 'green' | 'magenta',
  text: string,
  stream: NodeJS.WriteStream = process.stderr,
): string {
  const wanted = stream.isTTY && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
  return wanted ? styleText(style, text) : text;
}

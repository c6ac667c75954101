import { realpathSync } from 'node:fs';
import path from 'node:path';

/**
 * The words that start this program from any shell: `periscope` where that is on PATH and is this program, else node and the absolute
 * path. What npm puts on PATH for the commands that it runs is not there afterwards.
 */
export function ownCommand(
  env: NodeJS.ProcessEnv = process.env,
  programFile = process.argv[1] ?? '',
): [string, ...string[]] {
  const own = realPathOf(programFile);
  const folders = (env['PATH'] ?? '').split(path.delimiter);
  const lasting = folders.filter((folder) => folder !== '' && !folder.includes('node_modules'));
  const found = lasting.some((folder) => own !== null && realPathOf(path.join(folder, 'periscope')) === own);
  return found ? ['periscope'] : [process.execPath, own ?? path.resolve(programFile)];
}

export function shellWords(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
}

function realPathOf(file: string): string | null {
  try {
    return realpathSync(file);
  } catch {
    return null;
  }
}

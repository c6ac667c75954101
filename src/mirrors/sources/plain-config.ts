import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

const fileBytesMax = 64 * 1024;
const section = /^\[([a-z\d-]+)(?: "([^"\\\0]*)")?\]$/i;
const setting = /^([a-z][a-z\d-]*)\s*=\s*([^"\\#;\0]*)$/i;

/**
 * The settings of a git config file as git lists them, without starting git: one process less for each repository. Null where the
 * file has anything but plain sections and values, and git has to say what that means.
 */
export async function readPlainConfig(
  file: string,
): Promise<(readonly [key: string, value: string])[] | null> {
  const text = await readSmall(file).catch(() => null);
  return text === null ? null : plainSettings(text);
}

export function plainSettings(text: string): (readonly [key: string, value: string])[] | null {
  const settings: (readonly [string, string])[] = [];
  let prefix: string | null = null;
  for (const written of text.split('\n')) {
    const line = written.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const [, name, subsection] = section.exec(line) ?? [];
    if (name !== undefined) {
      prefix = subsection === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${subsection}`;
      continue;
    }
    const [, key, value] = setting.exec(line) ?? [];
    if (prefix === null || key === undefined || value === undefined) return null;
    settings.push([`${prefix}.${key.toLowerCase()}`, value.trim()]);
  }
  return settings;
}

/** Never follows a symlink, never waits on a pipe. */
async function readSmall(file: string): Promise<string | null> {
  const opened = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await opened.stat();
    if (!found.isFile() || found.size > fileBytesMax) return null;
    return await opened.readFile('utf8');
  } finally {
    await opened.close();
  }
}

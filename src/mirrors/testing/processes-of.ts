import { readdirSync, readFileSync } from 'node:fs';

/** Command lines of the living processes that were started with `folder` in their environment. */
export function processesOf(folder: string): string[] {
  return allProcesses()
    .filter((pid) => procFile(pid, 'environ').includes(folder))
    .map((pid) => procFile(pid, 'cmdline').replaceAll('\0', ' ').trim())
    .filter((line) => line !== '');
}

/** Command lines of everything that runs on the machine now. */
export function allCommandLines(): string {
  return allProcesses()
    .map((pid) => procFile(pid, 'cmdline'))
    .join('\n');
}

function allProcesses(): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
}

function procFile(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    // It ended meanwhile.
    return '';
  }
}

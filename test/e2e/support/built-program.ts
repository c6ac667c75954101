import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');

/** Compiles the program as users get it, beside dist/ and not into it; each test file into a folder of its own. Returns that folder. */
export function buildFor(testFile: string): string {
  const folder = `.test-build-${testFile}`;
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the build failed: ${stderr}`);
  return path.join(root, folder);
}

export interface Run {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Nothing of the machine's own set-up reaches the program. */
function environment(dataFolder: string, extra: Record<string, string>): Record<string, string> {
  return { PATH: process.env['PATH']!, HOME: dataFolder, PERISCOPE_DATA: dataFolder, ...extra };
}

export function runProgram(
  program: string,
  dataFolder: string,
  args: readonly string[],
  extra: Record<string, string> = {},
): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    env: environment(dataFolder, extra),
    cwd: dataFolder,
    timeout: 60_000,
  });
  return { status, stdout, stderr };
}

export interface RunningServer {
  process: ChildProcess;
  url: string;
  printed(): string;
  /** Ends it as a service manager would and gives its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export async function startServer(
  program: string,
  dataFolder: string,
  args: readonly string[],
): Promise<RunningServer> {
  const child = spawn(process.execPath, [program, 'up', '--port', '0', ...args], {
    env: environment(dataFolder, {}),
    cwd: dataFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  child.stderr!.on('data', (chunk) => {
    printed += chunk;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.on('data', (chunk) => {
      printed += chunk;
      const found = /at (http:\/\/[^\s\x1b]+)|another process answers/.exec(printed);
      if (found) resolve(found[1] ?? '');
    });
    child.once('exit', () => reject(new Error(`the server ended: ${printed}`)));
  });
  return {
    process: child,
    url,
    printed: () => printed,
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return exited;
    },
  };
}

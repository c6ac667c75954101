import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Acme, createAcme } from './acme-repositories.ts';

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

function runProgram(
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

async function startServer(
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

/** The built program with a server on it that serves the small organisation; everything it starts ends with `stop`. */
export interface ServedAcme {
  programFile: string;
  acme: Acme;
  dataFolder: string;
  server: RunningServer;
  runProgram(dataFolder: string, args: readonly string[], extra?: Record<string, string>): Run;
  startServer(dataFolder: string, args: readonly string[]): Promise<RunningServer>;
  /** On the data folder of the server. */
  run(...args: string[]): Run;
  stop(): Promise<void>;
}

export async function serveAcme(testFile: string): Promise<ServedAcme> {
  const programFile = `${buildFor(testFile)}/cli/main.js`;
  const acme = createAcme();
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'periscope-cli-'));
  const started: RunningServer[] = [];
  const start: ServedAcme['startServer'] = async (folder, args) => {
    const one = await startServer(programFile, folder, args);
    started.push(one);
    return one;
  };
  const runHere: ServedAcme['runProgram'] = (folder, args, extra = {}) =>
    runProgram(programFile, folder, args, extra);
  return {
    programFile,
    acme,
    dataFolder,
    server: await start(dataFolder, [acme.folder]),
    runProgram: runHere,
    startServer: start,
    run: (...args) => runHere(dataFolder, args),
    async stop() {
      // A test that failed in its midst has not stopped its own.
      await Promise.all(started.map((one) => one.stop()));
      acme.remove();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

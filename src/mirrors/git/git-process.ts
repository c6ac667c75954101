import { isUtf8 } from 'node:buffer';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { cancelled } from '../../base/errors.ts';
import { closed, gitMissing, gitSaid, timedOut } from '../errors.ts';
import { checkedObjectIds } from './object-id.ts';
import { createProcessSlots } from './process-slots.ts';
import { scrubSecrets } from './secret-scrub.ts';

/** One git process that ends by itself. */
export interface GitCommand {
  /** What is being done, as the subject of an error: `Reading the history of acme/payments`. */
  what: string;
  /** Written by us alone: nothing in it comes from a repository or a caller but numbers and what follows `--option=`. */
  args: readonly string[];
  /** Behind `args`, each one checked to be a whole id: where git would still read options, there can be none. */
  objectIds?: readonly string[];
  /** Behind `--`, any bytes but NUL. */
  path?: Buffer;
  /** An option that holds a path, any bytes but NUL: `-L1,2:path`. */
  lastOption?: Buffer;
  env: Readonly<Record<string, string>>;
  /** Neither dead remotes nor long searches of a history may take the places of first reads. */
  lane: 'network' | 'local' | 'history';
  timeoutMs: number;
  signal?: AbortSignal;
  input?: string | Buffer;
  /** Output beyond it is cut and the process ended; the result says so. */
  stdoutBytesMax: number;
  /** Takes the output as it comes instead of collecting it; `enough` ends the process. */
  onStdout?: (chunk: Buffer) => 'more' | 'enough';
  /** Taken out of everything that git says. */
  credential?: { username: string; secret: string };
}

export interface GitOutput {
  /** Null when the output was cut and the process ended for it. */
  code: number | null;
  stdout: Buffer;
  /** Scrubbed. */
  stderr: string;
  cut: boolean;
}

export type GitChild = ChildProcessByStdio<Writable, Readable, Readable>;

export interface GitRunner {
  /** Resolves with any exit code; fails with timeout, cancelled, busy, or when git cannot be started at all. */
  run(command: GitCommand): Promise<GitOutput>;
  /** A process that goes on until `killGroup`; the caller reads and writes its streams. */
  start(args: readonly string[], env: Readonly<Record<string, string>>): GitChild;
  processesStarted(): number;
  close(): Promise<void>;
}

const stderrBytesMax = 64 * 1024;
const killGraceMs = 2000;

export function createGitRunner(options: { cwd: string; processesMax: number }): GitRunner {
  // Each waits for a few milliseconds; a list of hundreds of repositories may ask at once.
  const waitingMax = 256 + options.processesMax * 16;
  const lanes = {
    local: createProcessSlots({ what: 'The git reader', activeMax: options.processesMax, waitingMax }),
    network: createProcessSlots({ what: 'The git fetcher', activeMax: options.processesMax, waitingMax }),
    history: createProcessSlots({
      what: 'The history reader',
      activeMax: Math.max(1, Math.floor(options.processesMax / 2)),
      waitingMax,
    }),
  };
  const alive = new Map<GitChild, Promise<void>>();
  let started = 0;
  let isClosed = false;

  function start(args: readonly string[], env: Readonly<Record<string, string>>, program = 'git'): GitChild {
    if (isClosed) throw closed();
    started += 1;
    // Its own process group: ending git alone leaves git-remote-https running.
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: { ...env },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    // A process that ends before it has read its input is told by its exit code.
    child.stdin.on('error', () => {});
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    }).then(() => void alive.delete(child));
    alive.set(child, ended);
    return child;
  }

  async function run(command: GitCommand): Promise<GitOutput> {
    const giveBack = await lanes[command.lane].take(command.signal);
    try {
      if (command.signal?.aborted) throw cancelled(command.signal.reason);
      const { program, args, env } = commandLine(command);
      return await outputOf(start(args, env, program), command);
    } finally {
      giveBack();
    }
  }

  return {
    run,
    start: (args, env) => start(args, env),
    processesStarted: () => started,
    async close() {
      isClosed = true;
      const ending = [...alive.values()];
      for (const child of alive.keys()) killGroup(child);
      await Promise.all(ending);
    },
  };
}

/** Ends the process and all that it started. */
export function killGroup(child: GitChild) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
}

function outputOf(child: GitChild, command: GitCommand): Promise<GitOutput> {
  return new Promise((resolve, reject) => {
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let stdoutBytes = 0;
    let stderrBytes = 0;
    let cut = false;
    let fault: Error | null = null;
    let grace: NodeJS.Timeout | undefined;

    const end = () => {
      killGroup(child);
      // A process stuck in the kernel answers to nothing; whoever waits is let go all the same.
      grace ??= setTimeout(() => finish(null), killGraceMs);
    };
    const onAbort = () => {
      fault ??= cancelled(command.signal?.reason);
      end();
    };
    const timer = setTimeout(() => {
      fault ??= timedOut(command.what, command.timeoutMs, gitSaid(said()));
      end();
    }, command.timeoutMs);
    command.signal?.addEventListener('abort', onAbort, { once: true });

    child.stdout.on('data', (chunk: Buffer) => {
      if (cut) return;
      const room = command.stdoutBytesMax - stdoutBytes;
      const taken = chunk.length > room ? chunk.subarray(0, room) : chunk;
      stdoutBytes += taken.length;
      const wish = command.onStdout?.(taken);
      if (command.onStdout === undefined) stdout.push(taken);
      if (wish === 'enough' || taken.length < chunk.length) {
        cut = true;
        end();
      }
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderrBytes < stderrBytesMax) stderr.push(chunk.subarray(0, stderrBytesMax - stderrBytes));
      stderrBytes += chunk.length;
    });
    child.on('error', (error) => {
      fault ??= gitMissing(error);
      finish(null);
    });
    child.on('close', (code) => finish(code));
    child.stdin.end(command.input ?? '');

    function said(): string {
      const text = Buffer.concat(stderr).toString('utf8');
      return command.credential ? scrubSecrets(text, command.credential) : text;
    }

    function finish(code: number | null) {
      clearTimeout(timer);
      clearTimeout(grace);
      command.signal?.removeEventListener('abort', onAbort);
      if (code !== 0) killGroup(child);
      if (fault) return reject(fault);
      resolve({ code: cut ? null : code, stdout: Buffer.concat(stdout), stderr: said(), cut });
    }
  });
}

/** The command line as a whole. Node passes arguments as UTF-8 text; other bytes reach git through the shell's `printf %b`. */
function commandLine(command: GitCommand) {
  const { objectIds, path, lastOption, env } = command;
  const args = [...command.args, ...checkedObjectIds(objectIds ?? [])];
  if (lastOption !== undefined && lastOption[0] !== 0x2d) throw new Error('an option that is none');
  const last = lastOption ?? path;
  if (lastOption === undefined && (path !== undefined || objectIds !== undefined)) args.push('--');
  if (last === undefined) return { program: 'git', args, env };
  if (isUtf8(last)) return { program: 'git', args: [...args, last.toString('utf8')], env };
  const octal = [...last].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('');
  // The dot keeps line breaks at the end, which $(...) would drop.
  const script = `last=$(printf '%b.' "$PERISCOPE_LAST"); exec git "$@" "\${last%.}"`;
  return { program: '/bin/sh', args: ['-c', script, 'git', ...args], env: { ...env, PERISCOPE_LAST: octal } };
}

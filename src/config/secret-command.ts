import { spawn } from 'node:child_process';
import { reasonOf } from './errors.ts';

export type CommandOutcome = { ok: true; output: string } | { ok: false; why: string };

/** Words of a command line: blanks part them, single and double quotes keep them together. There is no shell: no variables, pipes or escapes. */
export function splitCommand(command: string): string[] {
  const words = command.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single));
}

/** Runs a command in its own process group, so that a timeout ends what it started too. Its error output is dropped: it may hold the secret. */
export function runSecretCommand(
  [file, ...args]: string[],
  options: {
    env: Readonly<Record<string, string | undefined>>;
    timeoutMs: number;
    bytesMax: number;
  },
): Promise<CommandOutcome> {
  if (!file) return Promise.resolve({ ok: false, why: 'it names no command' });
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      env: { ...options.env },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = (outcome: CommandOutcome) => {
      clearTimeout(timer);
      child.stdout.destroy();
      resolve(outcome);
    };
    const giveUp = (why: string) => {
      if (child.pid !== undefined) killGroup(child.pid);
      end({ ok: false, why });
    };
    const timer = setTimeout(
      () => giveUp(`the command did not end within ${options.timeoutMs / 1000} s`),
      options.timeoutMs,
    );
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > options.bytesMax) giveUp(`the command printed over ${options.bytesMax} bytes`);
      else chunks.push(chunk);
    });
    child.on('error', (fault) => end({ ok: false, why: `the command cannot be started${reasonOf(fault)}` }));
    child.on('close', (code, signal) => {
      if (code === 0) end({ ok: true, output: Buffer.concat(chunks).toString('utf8') });
      else
        end({ ok: false, why: `the command ended with ${signal === null ? `exit code ${code}` : signal}` });
    });
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself in the meantime.
  }
}

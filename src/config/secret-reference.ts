import { readFile, stat } from 'node:fs/promises';
import type { Clock } from '../base/clock.ts';
import { reasonOf, secretUnavailable } from './errors.ts';
import { runSecretCommand, splitCommand } from './secret-command.ts';

/** Fetches a secret when it is needed. `reference` is what stands in the config and is all that is ever printed. */
export interface Secret {
  (): Promise<string>;
  readonly reference: string;
}

export interface SecretSources {
  env: Readonly<Record<string, string | undefined>>;
  /** For `~` and relative files. */
  resolvePath: (written: string) => string;
  clock: Clock;
  /** How long the output of `exec:` is kept, so that a vault is not asked for each git command. */
  execCacheMs: number;
  execTimeoutMs: number;
}

export const secretReferencePattern = /^(?:env:[A-Za-z_][A-Za-z0-9_]*|file:\S.*|exec:\S.*)$/;

const secretBytesMax = 64 * 1024;

/** `reference` has passed `secretReferencePattern`. */
export function secretOf(reference: string, sources: SecretSources): Secret {
  const at = reference.indexOf(':');
  const source = reference.slice(0, at);
  const rest = reference.slice(at + 1);
  if (source === 'env') return named(reference, () => fromEnvironment(reference, rest, sources.env));
  if (source === 'file') return named(reference, () => fromFile(reference, sources.resolvePath(rest)));
  return named(reference, fromCommand(reference, rest, sources));
}

function named(reference: string, read: () => Promise<string>): Secret {
  return Object.assign(() => read(), { reference });
}

async function fromEnvironment(reference: string, name: string, env: SecretSources['env']): Promise<string> {
  const value = env[name];
  if (value) return value;
  throw secretUnavailable(
    reference,
    value === undefined ? 'the environment variable is not set' : 'the environment variable is empty',
    `The operator sets ${name} in the environment of the Periscope server and restarts it.`,
  );
}

async function fromFile(reference: string, file: string): Promise<string> {
  const next = 'The operator puts the secret alone into that file, readable by the Periscope server.';
  try {
    const { size } = await stat(file);
    if (size > secretBytesMax) throw secretUnavailable(reference, 'the file is over 64 KiB', next);
    const value = withoutLineEnd(await readFile(file, 'utf8'));
    if (value === '') throw secretUnavailable(reference, 'the file is empty', next);
    return value;
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault && 'syscall' in fault) {
      throw secretUnavailable(reference, `the file cannot be read${reasonOf(fault)}`, next);
    }
    throw fault;
  }
}

function fromCommand(reference: string, command: string, sources: SecretSources): () => Promise<string> {
  let kept: { value: Promise<string>; untilMs: number } | null = null;
  return () => {
    const nowMs = sources.clock.now();
    if (kept && nowMs < kept.untilMs) return kept.value;
    const value = runSecretCommand(splitCommand(command), {
      env: sources.env,
      timeoutMs: sources.execTimeoutMs,
      bytesMax: secretBytesMax,
    }).then((outcome) => {
      const secret = outcome.ok ? withoutLineEnd(outcome.output) : '';
      if (secret !== '') return secret;
      throw secretUnavailable(
        reference,
        outcome.ok ? 'the command printed nothing' : outcome.why,
        'The operator runs that command by hand as the user of the Periscope server and mends what it says.',
      );
    });
    const flight = { value, untilMs: nowMs + sources.execCacheMs };
    kept = flight;
    // A failure is not kept: the next call runs the command again.
    value.catch(() => {
      if (kept === flight) kept = null;
    });
    return value;
  };
}

function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}

import { PeriscopeError } from '../base/errors.ts';
import { type ConfigFault, shownFault } from './config-fault.ts';

export function configFaults(file: string, faults: readonly ConfigFault[]): PeriscopeError {
  const lines = faults.map((fault) => `  ${shownFault(fault)}`);
  return new PeriscopeError(
    'invalid-request',
    'config/faults',
    `${file} has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${lines.join('\n')}`,
    'Correct them, then run: periscope config check. All keys stand in docs/reference/config.md.',
    { data: { file, faults } },
  );
}

export function configUnreadable(file: string, cause: unknown): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'config/unreadable',
    `The config file ${file} cannot be read${reasonOf(cause)}.`,
    'Name an existing file with --config, or leave it out and give folders: periscope up FOLDER...',
    { cause },
  );
}

/** Unavailable, because the caller of a tool meets it: the operator's own credential is missing, not theirs. */
export function secretUnavailable(reference: string, why: string, next: string): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'config/secret-unavailable',
    `The secret ${reference} cannot be had: ${why}.`,
    next,
    { data: { reference } },
  );
}

/** System errors by their code alone: their texts repeat paths and arguments. */
export function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return code === '' ? '' : ` (${code})`;
}

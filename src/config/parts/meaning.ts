import { z } from 'zod';
import { type Secret, secretReferencePattern } from '../secret-reference.ts';

/** What turns written text into what it stands for. */
export interface Meaning {
  /** Absolute; relative ones start at the config file's folder, `~` is the home folder. */
  path(written: string): string;
  secret(reference: string): Secret;
}

export function secretReference() {
  return z.string().regex(secretReferencePattern, {
    error:
      'must be a reference to the secret, never the secret itself: env:NAME, file:/path or exec:command args',
  });
}

export function filePath() {
  return z
    .string()
    .min(1)
    .max(4096)
    .refine((written) => !written.includes('\0'), { error: 'must be a path, without a NUL character' });
}

/**
 * Zod keeps a check over several keys back until each key is right; all faults are wanted at once. A check with this `when` must not
 * trust the types of what it gets.
 */
export function evenBesideOtherFaults(): boolean {
  return true;
}

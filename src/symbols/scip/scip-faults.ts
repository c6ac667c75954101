import { PeriscopeError } from '../../base/errors.ts';

const wanted =
  'Upload the file that an indexer such as scip-typescript or scip-go wrote, as it is, not compressed.';

export function scipUnreadable(what: string): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'symbols/scip-unreadable',
    `The upload is no SCIP index: ${what}.`,
    wanted,
  );
}

export function scipTooMuch(what: string): PeriscopeError {
  return new PeriscopeError(
    'too-large',
    'symbols/scip-too-much',
    `The SCIP index holds too much: ${what}.`,
    'Leave generated and vendored files out when indexing, and upload the smaller index.',
  );
}

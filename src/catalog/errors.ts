import { invalidRequest, PeriscopeError } from '../base/errors.ts';

export const unknownHost = (host: string, known: readonly string[]): PeriscopeError =>
  invalidRequest(
    'catalog/unknown-host',
    `No host "${host}" is configured.`,
    known.length === 0
      ? 'Configure a host first.'
      : `Call again with one of the configured hosts: ${known.join(', ')}.`,
  );

export const hostSilent = (host: string, timeoutMs: number): PeriscopeError =>
  new PeriscopeError(
    'timeout',
    'catalog/host-silent',
    `Host "${host}" did not give its list within ${timeoutMs} ms.`,
    'Look at the host and at the network; until then the repositories of its last good list are served.',
  );

export const notConfigured = (repository: string): PeriscopeError =>
  new PeriscopeError(
    'unavailable',
    'catalog/not-configured',
    `The configuration no longer says how ${repository} is reached.`,
    'List the repositories again and call with one of them.',
  );

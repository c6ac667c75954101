import { PeriscopeError } from '../base/errors.ts';

/** One answer for unknown, expired and revoked: it says nothing about which tokens there were. */
export function badToken(): PeriscopeError {
  return new PeriscopeError(
    'unauthenticated',
    'access/bad-token',
    'The access token is not valid: unknown, expired or revoked.',
    'Ask the operator for a new one; the operator makes it with: periscope token create.',
  );
}

export function noSuchToken(id: string): PeriscopeError {
  return new PeriscopeError(
    'not-found-or-no-access',
    'access/no-such-token',
    `There is no token ${JSON.stringify(id)}.`,
    'Take an id from: periscope token list.',
  );
}

export function tokenInvalid(what: string, next: string): PeriscopeError {
  return new PeriscopeError('invalid-request', 'access/token-invalid', what, next);
}

export function administratorsOnly(action: string): PeriscopeError {
  return new PeriscopeError(
    'blocked-by-policy',
    'access/administrators-only',
    `Only administrators may ${action}.`,
    'Ask the operator, or use a token with the scope admin.',
  );
}

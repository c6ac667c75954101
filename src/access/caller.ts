import { administratorsOnly } from './errors.ts';
import type { Caller, Conversation, Destination, Scope, TokenSummary } from './types.ts';

export const scopes = ['read', 'models', 'runs', 'admin'] as const satisfies readonly Scope[];

/** The name of the operator's own shell in the audit; no token may have it. */
export const localSubject = 'local';

/** The caller of one call that came with a token. */
export function callerOf(token: TokenSummary, conversation: Conversation, signal: AbortSignal): Caller {
  return {
    subject: token.subject,
    onBehalfOf: null,
    account: token.subject.name,
    groups: token.groups,
    forgeAccounts: [],
    scopes: token.scopes,
    destination: token.destination,
    conversation,
    signal,
  };
}

/** A person by name, as the config alone knows them: for `periscope access explain`, never for a call that came from outside. */
export function personCaller(name: string, conversation: Conversation, signal: AbortSignal): Caller {
  return {
    subject: { kind: 'person', name },
    onBehalfOf: null,
    account: name,
    groups: [],
    forgeAccounts: [],
    scopes: ['read'],
    destination: 'external',
    conversation,
    signal,
  };
}

/** The operator's own shell on the server, or what came over the socket that only the operator can open: every scope, sees everything. */
export function localCaller(
  conversation: Conversation,
  signal: AbortSignal,
  destination: Destination = 'local',
): Caller {
  return {
    subject: { kind: 'local', name: localSubject },
    onBehalfOf: null,
    account: localSubject,
    groups: [],
    forgeAccounts: [],
    scopes,
    destination,
    conversation,
    signal,
  };
}

export function requireAdministrator(caller: Caller, action: string): void {
  if (!caller.scopes.includes('admin')) throw administratorsOnly(action);
}

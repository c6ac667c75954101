/**
 * Who asks, and what they may see. Start with gate.ts: `decide` is the one place where it is settled whether a caller may see a
 * repository; party.ts says who must be allowed, rule-book.ts what the config's rules say, forge-grants.ts what hosts say themselves.
 *
 * tokens.ts makes, revokes and looks up access tokens (refused-tokens.ts tells of those it refused), caller.ts turns one into the `Caller` of a call, conversations.ts says which
 * conversation a call belongs to, audit.ts writes down who asked what.
 *
 * It decides from identities and rules alone: it knows no content, no operation and no protocol, and it never tells an asker why
 * something is hidden; `explain` is for administrators.
 */
export { type AuditDeps, createAudit } from './audit.ts';
export { callerOf, localCaller, personCaller, requireAdministrator } from './caller.ts';
export { type ConversationHints, type Conversations, createConversations } from './conversations.ts';
export { createGate, type GateDeps } from './gate.ts';
export { createTokens, type TokensDeps } from './tokens.ts';
export type {
  AccessOptions,
  AccessRule,
  Audit,
  AuditEntry,
  Caller,
  Conversation,
  Decision,
  Destination,
  Gate,
  GateSubject,
  Scope,
  SubjectKind,
  TokenSummary,
  Tokens,
} from './types.ts';

import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import type { Conversation } from './types.ts';

export interface ConversationHints {
  /** What the client itself named: a header, a session id, the stdio process. */
  explicit: string | null;
  tokenId: string;
  clientName: string | null;
}

export interface Conversations {
  identify(hints: ConversationHints): Conversation;
}

/**
 * Tells which conversation a call belongs to. A name given by the client counts within its token alone, so that no token can step into
 * another's conversation. Without one, calls of one token and client are taken for one conversation until they pause for `idleMs`.
 */
export function createConversations({
  clock,
  idleMs,
  max,
}: {
  clock: Clock;
  idleMs: number;
  /** Guessed conversations remembered; the one idle longest goes first. */
  max: number;
}): Conversations {
  const guessed = new LRUCache<string, { id: string; lastMs: number }>({ max });
  return {
    identify({ explicit, tokenId, clientName }) {
      if (explicit !== null) return { id: digest(['exact', tokenId, explicit]), certainty: 'exact' };
      const key = JSON.stringify([tokenId, clientName]);
      const nowMs = clock.now();
      let found = guessed.get(key);
      if (!found || nowMs - found.lastMs > idleMs) {
        found = { id: digest(['guessed', tokenId, clientName, nowMs]), lastMs: nowMs };
        guessed.set(key, found);
      }
      found.lastMs = nowMs;
      return { id: found.id, certainty: 'guessed' };
    },
  };
}

function digest(parts: readonly (string | number | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}

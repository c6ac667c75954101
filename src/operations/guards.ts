import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Caller, Conversation } from '../access/index.ts';
import type { Clock } from '../base/clock.ts';
import { repeatedCall } from './errors.ts';
import type { GuardOptions, Operation, OperationResult, ToolAnswer } from './types.ts';

/** Guards 2 and 3: deterministic corrections by conversation. They are told of successes alone, so a retry after a fault always works. */
export interface Guards {
  /** Throws the refusal, gives the short answer to return in place of a run, or lets the call run. */
  before(call: GuardedCall): GuardVerdict;
  /** Told of a success. Gives what to say beside it: that it is the same answer again, or that searching has brought nothing new for too long. */
  after(call: GuardedCall, verdict: GuardVerdict, result: OperationResult): string[];
}

export interface GuardVerdict {
  /** Stands for this very call. */
  key: string;
  answer: ToolAnswer | null;
  /** Successes of this very call in a row, before this one. */
  repeated: number;
}

export interface GuardedCall {
  caller: Caller;
  operation: Operation;
  input: Record<string, unknown>;
  /** Changes whenever the same call could get another answer: the commit, or a digest of what is listed. */
  state: string;
}

interface ConversationMemory {
  lastCall: string | null;
  /** Digest of what `lastCall` was answered. */
  lastAnswer: string;
  /** Successes of `lastCall` in a row. */
  times: number;
  /** Searches in a row that brought nothing new. */
  fruitless: number;
  placesSeen: Set<string>;
}

/** Beyond it the oldest are forgotten: a place seen that long ago counts as new. */
const PLACES_SEEN_MAX = 2000;

export function createGuards(options: GuardOptions, clock: Clock): Guards {
  const conversations = new LRUCache<string, ConversationMemory>({
    max: Math.max(1, options.conversationsMax),
    ttl: options.conversationIdleMs,
    updateAgeOnGet: true,
    perf: { now: () => clock.now() },
  });
  const memoryOf = (conversation: Conversation) => {
    let memory = conversations.get(conversation.id);
    if (!memory) {
      memory = { lastCall: null, lastAnswer: '', times: 0, fruitless: 0, placesSeen: new Set() };
      conversations.set(conversation.id, memory);
    }
    return memory;
  };

  return {
    before(call) {
      const memory = memoryOf(call.caller.conversation);
      const key = callKey(call);
      const repeated = options.identicalCallsMax > 0 && memory.lastCall === key ? memory.times : 0;
      // Who we only guess to be one conversation may be two: they always get the whole answer.
      if (repeated <= 1 || !isExact(call)) return { key, answer: null, repeated };
      // From here nothing runs, so the count is kept here and not in `after`.
      memory.times = repeated + 1;
      if (repeated > options.identicalCallsMax) throw repeatedCall(call.operation.name, repeated + 1);
      return { key, answer: shortAnswer(call, repeated), repeated };
    },

    after(call, { key, repeated }, result) {
      const memory = memoryOf(call.caller.conversation);
      const answer = answerDigest(result);
      const isSame = repeated > 0 && memory.lastAnswer === answer;
      // Counted from what this call saw before it ran: calls side by side are no repeats of each other.
      memory.times = isSame ? repeated + 1 : 1;
      memory.lastCall = key;
      memory.lastAnswer = answer;
      if (!call.operation.isSearch) memory.fruitless = 0;
      else memory.fruitless = countNew(memory.placesSeen, result) > 0 ? 0 : memory.fruitless + 1;
      const tooLong = options.fruitlessStreakMax > 0 && memory.fruitless > options.fruitlessStreakMax;
      return [...(isSame ? [repeatNote] : []), ...(tooLong ? [waysOut(memory.fruitless)] : [])];
    },
  };
}

const repeatNote =
  'This very call was made just before; this is the same answer. Go on with it, or change a parameter.';

function isExact(call: GuardedCall): boolean {
  return call.caller.conversation.certainty === 'exact';
}

function callKey({ operation, input, state }: GuardedCall): string {
  const canonical = JSON.stringify(Object.entries(input).sort(([left], [right]) => (left < right ? -1 : 1)));
  return hash('sha256', `${operation.name}\0${canonical}\0${state}`, 'base64');
}

/** Of all that an answer tells programs: its text may say how long ago something was, and a cursor is another each time. */
export function answerDigest({ facts, rows, notes, empty }: OperationResult): string {
  const told = [facts, rows.map(({ value }) => value), notes, empty];
  return hash('sha256', JSON.stringify(told), 'base64');
}

function countNew(seen: Set<string>, result: OperationResult): number {
  let fresh = 0;
  for (const { place } of result.rows) {
    if (place === undefined || seen.has(place)) continue;
    fresh++;
    seen.add(place);
  }
  for (const place of seen) {
    if (seen.size <= PLACES_SEEN_MAX) break;
    seen.delete(place);
  }
  return fresh;
}

function waysOut(streak: number): string {
  return (
    `${streak} searches in a row, this one included, brought nothing new. Other ways: codesearch_repos to see which repositories ` +
    'there are, list_directory to see how one is laid out, read_file on a place that you have, or quite another word.'
  );
}

function shortAnswer(call: GuardedCall, repeated: number): ToolAnswer {
  const others = call.operation.isSearch
    ? 'list_directory or read_file'
    : 'codesearch_repos or scan_directory';
  const text = `This call was answered ${repeated} times in a row already, and nothing has changed. Use that answer, change a parameter, or call another tool, such as ${others}.`;
  return {
    tool: call.operation.name,
    text,
    result: { answeredBefore: true },
    notes: [text],
    cut: false,
    cursor: null,
    found: false,
  };
}

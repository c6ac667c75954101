import { z } from 'zod';
import { count, duration, size } from '../quantity.ts';

export const operationsPart = z
  .strictObject({
    answerTokens: count(2000, { least: 200, most: 1_000_000 }).describe(
      'Tokens of an answer when the call does not say max_tokens.',
    ),
    answerTokensMax: count(25_000, { least: 200, most: 1_000_000 }).describe(
      'The most that a call may ask for with max_tokens.',
    ),
    externalAnswerTokensMax: count(8000, { least: 200, most: 1_000_000 }).describe(
      'The same for agents whose model is external.',
    ),
    timeout: duration('60s', { least: '1s', most: '1h' }).describe('Wall-clock bound of one call.'),
    scan: z
      .strictObject({
        filesMax: count(50_000).describe(
          'Files that one scan_directory looks into; the answer says when it stopped.',
        ),
        sizeMax: size('512MiB', { least: '1MiB' }).describe('Bytes that one scan_directory looks into.'),
        time: duration('30s', { least: '100ms', most: '1h' }).describe('Time that one scan_directory takes.'),
      })
      .prefault({})
      .describe('Bounds of scan_directory.'),
    guards: z
      .strictObject({
        identicalCallsMax: count(2, { least: 0, most: 1000 }).describe(
          'Repeats of the very same call, one after the other, that are still answered: the first with a note, the last one short. Those beyond are refused. 0 switches the guard off.',
        ),
        fruitlessStreakMax: count(5, { least: 0, most: 1000 }).describe(
          'Searches in a row that may bring nothing new before the answer is a list of other ways. 0 switches the guard off.',
        ),
        conversationIdle: duration('30m', { least: '1s', most: '7d' }).describe(
          'After this long without a call, a client that names no conversation begins a new one.',
        ),
        conversationsMax: count(10_000).describe(
          'Conversations that are remembered; beyond it the one idle longest is forgotten.',
        ),
      })
      .prefault({})
      .describe('Corrections of models that call wrongly, by conversation.'),
  })
  .prefault({});

/** operations' OperationsOptions; access counts conversations by the same two guard values. */
export interface OperationsConfig {
  answerTokensDefault: number;
  answerTokensMax: number;
  externalAnswerTokensMax: number;
  timeoutMs: number;
  scan: { filesMax: number; bytesMax: number; timeMs: number };
  guards: {
    identicalCallsMax: number;
    fruitlessStreakMax: number;
    conversationsMax: number;
    conversationIdleMs: number;
  };
}

export function operationsConfig({
  scan,
  guards,
  ...written
}: z.output<typeof operationsPart>): OperationsConfig {
  return {
    answerTokensDefault: Math.min(written.answerTokens, written.answerTokensMax),
    answerTokensMax: written.answerTokensMax,
    externalAnswerTokensMax: Math.min(written.externalAnswerTokensMax, written.answerTokensMax),
    timeoutMs: written.timeout,
    scan: { filesMax: scan.filesMax, bytesMax: scan.sizeMax, timeMs: scan.time },
    guards: {
      identicalCallsMax: guards.identicalCallsMax,
      fruitlessStreakMax: guards.fruitlessStreakMax,
      conversationsMax: guards.conversationsMax,
      conversationIdleMs: guards.conversationIdle,
    },
  };
}

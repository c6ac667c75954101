import { describe, expect, it } from 'vitest';
import { type ConversationHints, createConversations } from './conversations.ts';

const minuteMs = 60_000;

function setUp(max = 100) {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const conversations = createConversations({ clock, idleMs: 30 * minuteMs, max });
  const identify = (hints: Partial<ConversationHints> = {}) =>
    conversations.identify({ explicit: null, tokenId: 't', clientName: 'agent', ...hints });
  return { clock, identify };
}

describe('a conversation that the client names is exact', () => {
  it('and the same at each call, whatever the time and the client name', () => {
    const { clock, identify } = setUp();
    const first = identify({ explicit: 'one' });
    clock.nowMs = 1000 * minuteMs;
    expect(identify({ explicit: 'one', clientName: 'other' })).toEqual(first);
    expect(first.certainty).toBe('exact');
    expect(identify({ explicit: 'two' }).id).not.toBe(first.id);
  });

  it('and never shared by two tokens', () => {
    const { identify } = setUp();
    expect(identify({ explicit: 'one', tokenId: 'a' }).id).not.toBe(
      identify({ explicit: 'one', tokenId: 'b' }).id,
    );
  });
});

describe('a conversation that nobody names is guessed', () => {
  it('from token and client, within the idle time that each call begins anew', () => {
    const { clock, identify } = setUp();
    const first = identify();
    expect(first.certainty).toBe('guessed');
    clock.nowMs = 29 * minuteMs;
    expect(identify()).toEqual(first);
    clock.nowMs = 58 * minuteMs;
    expect(identify()).toEqual(first);
    clock.nowMs = 89 * minuteMs;
    expect(identify().id).not.toBe(first.id);
  });

  it('apart for each token and client', () => {
    const { identify } = setUp();
    const ids = [
      identify(),
      identify({ tokenId: 'u' }),
      identify({ clientName: 'x' }),
      identify({ clientName: null }),
    ];
    expect(new Set(ids.map(({ id }) => id)).size).toBe(4);
  });

  it('and the one idle longest is forgotten beyond the bound', () => {
    const { clock, identify } = setUp(2);
    const first = identify({ clientName: '1' });
    clock.nowMs = 1;
    const second = identify({ clientName: '2' });
    identify({ clientName: '3' });
    expect(identify({ clientName: '2' })).toEqual(second);
    expect(identify({ clientName: '1' }).id).not.toBe(first.id);
  });
});

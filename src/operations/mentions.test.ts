import { describe, expect, it } from 'vitest';
import type { HostStatus } from '../catalog/index.ts';
import { expandMentions, listMentions, mentionOf } from './mentions.ts';
import { visibleRepository } from './testing/visible-repository.ts';

const visible = [
  visibleRepository('acme/payments'),
  visibleRepository('acme/old payments, "v1"'),
  visibleRepository('tools/pay'),
];
const host = (problem: string | null): HostStatus => ({
  host: 'git.example',
  kind: 'git',
  lastGoodMs: 1,
  problem,
  problemMs: problem ? 2 : null,
  problems: [],
});

describe('the picker lists what is visible, what begins with the query first', () => {
  const names = (query: string) => listMentions(query, visible, [], 10).mentions.map(({ name }) => name);
  it('by prefix of the short name', () =>
    expect(names('pay')).toEqual(['acme/payments', 'tools/pay', 'acme/old payments, "v1"']));
  it('with the @ that was typed', () => expect(names('@repo:tools')).toEqual(['tools/pay']));
  it('an empty list has its reason', () => {
    expect(listMentions('zzz', visible, [], 10).reason).toContain('zzz');
    expect(listMentions('zzz', visible, [host('connection refused')], 10).reason).toContain(
      'git.example cannot be asked',
    );
    expect(listMentions('', [], [host('connection refused')], 10).reason).not.toContain('git.example');
  });
});

describe('a mention becomes instructions for the model', () => {
  it('every name that the picker inserts is understood, whatever is in it', () => {
    for (const { insert, name } of listMentions('', visible, [], 10).mentions) {
      expect(expandMentions(`Look at ${insert}, please.`, visible)).toContain(`- ${name} (main)`);
    }
  });
  it('a hidden name and one that never was get the same sentence', () => {
    expect(expandMentions('@repo:acme/secret', visible).replace('secret', '·')).toBe(
      expandMentions('@repo:acme/nobody', visible).replace('nobody', '·'),
    );
  });
  it('a text without mentions gets nothing', () => expect(expandMentions('hello @ada', visible)).toBe(''));
  it('quotes only where they are needed', () =>
    expect(mentionOf('acme/payments')).toBe('@repo:acme/payments'));
});

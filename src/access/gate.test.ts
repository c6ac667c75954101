import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../base/testing/seeded-random.ts';
import type { Host, HostPermissions } from '../hosts/index.ts';
import { localCaller, personCaller } from './caller.ts';
import { createGate } from './gate.ts';
import type { AccessOptions, AccessRule, Caller, GateSubject } from './types.ts';

const conversation = { id: 'c', certainty: 'exact' } as const;
const signal = new AbortController().signal;
const person = (name: string, more: Partial<Caller> = {}): Caller => ({
  ...personCaller(name, conversation, signal),
  ...more,
});
const ada = person('ada');

const host = (name: string, permissions?: HostPermissions): Host => ({
  name,
  kind: 'git',
  list: async () => ({ repositories: [], problems: [] }),
  remoteAccess: () => null,
  permalink: () => null,
  serves: () => true,
  ...(permissions ? { permissions } : {}),
});

const forge = host('forge', {
  readableBy: async (account) => {
    if (account === 'broken') throw new Error('the forge said 500');
    if (account === 'hanging') return new Promise(() => {});
    return new Set(account === 'ada-gh' ? ['acme/payments', 'acme/ledger'] : []);
  },
});
const proven = (account: string) => ({ forgeAccounts: [{ host: 'forge', account }] });

const repository = (place: string): GateSubject => {
  const at = place.indexOf('/');
  return { id: 1, host: place.slice(0, at), name: place.slice(at + 1) };
};

/** `allow ada,@platform: acme/*`; an @ marks a group. */
function rule(text: string): AccessRule {
  const [, effect, who, repositories] = /^(allow|deny) (\S+): (.*)$/s.exec(text)!;
  const names = who!.split(',');
  return {
    effect: effect as AccessRule['effect'],
    people: names.filter((name) => !name.startsWith('@')),
    groups: names.filter((name) => name.startsWith('@')).map((name) => name.slice(1)),
    repositories: [repositories!],
  };
}

function gateOf(rules: string[], groups: AccessOptions['groups'] = {}) {
  return createGate(
    { rules: rules.map(rule), groups },
    { hosts: [host('git'), forge], clock: { now: () => 0 }, permissionTimeoutMs: 50 },
  );
}

describe('the gate decides by the rules', () => {
  const check = (
    name: string,
    rules: string[],
    caller: Caller,
    place: string,
    allowed: boolean,
    reason: RegExp = /./,
  ) =>
    it(name, async () => {
      const gate = gateOf(rules, { platform: ['ada'], constructor: ['bob'] });
      const decision = await gate.explain(caller, repository(place));
      expect([decision.allowed, decision.reason]).toEqual([allowed, expect.stringMatching(reason)]);
      expect(await gate.visible(caller, [repository(place)])).toHaveLength(allowed ? 1 : 0);
    });

  check('no rule is a no', [], ada, 'git/a', false, /no rule allows it to ada/);
  check('a rule for the person', ['allow bob: **', 'allow ada: a'], ada, 'git/a', true, /access\.rules\[1\]/);
  check('a rule for another', ['allow bob: **'], ada, 'git/a', false);
  check('names are exact', ['allow Ada: **'], ada, 'git/a', false);
  check('everyone', ['allow *: **'], ada, 'git/a', true);
  check('a group of the config', ['allow @platform: **'], ada, 'git/a', true);
  check('a group of the token', ['allow @ops: **'], person('ada', { groups: ['ops'] }), 'git/a', true);
  check('a group of neither', ['allow @ops: **'], ada, 'git/a', false);
  check('a star is no group', ['allow @*: **'], ada, 'git/a', false);
  check('a person named like a property of objects', ['allow @ops: **'], person('toString'), 'git/a', false);
  check(
    'deny beats allow',
    ['deny @platform: a', 'allow ada: **'],
    ada,
    'git/a',
    false,
    /access\.rules\[0\] denies/,
  );
  check('deny for another group', ['deny @ops: a', 'allow ada: **'], ada, 'git/a', true);
  check('a glob over the name', ['allow ada: acme/*'], ada, 'git/acme/a', true);
  check('a star does not cross a slash', ['allow ada: *'], ada, 'git/acme/a', false);
  check('a glob over host and name', ['allow ada: git/acme/*'], ada, 'git/acme/a', true);
  check('deny over host and name', ['allow ada: **', 'deny ada: git/**'], ada, 'git/acme/a', false);
  check('a name with odd characters', ['allow ada: a [b],c(d)/x\ny'], ada, 'git/a [b],c(d)/x\ny', true);
  check(
    'without the scope read',
    ['allow ada: **'],
    person('ada', { scopes: ['admin'] }),
    'git/a',
    false,
    /scope read/,
  );
  check('a host that is configured no more', ['allow ada: **'], ada, 'gone/a', false, /no host gone/);
  check("the operator's shell", ['deny *: **'], localCaller(conversation, signal), 'git/a', true);
});

describe('every name that a repository goes by must be allowed, and a denial of one hides it', () => {
  const check = (name: string, rules: string[], allowed: boolean, reason: RegExp) =>
    it(name, async () => {
      const worktree = { ...repository('git/alice/wt'), alsoNamed: ['team/payments', 'base'] };
      const gate = gateOf(rules);
      const decision = await gate.explain(ada, worktree);
      expect([decision.allowed, decision.reason]).toEqual([allowed, expect.stringMatching(reason)]);
      expect(await gate.visible(ada, [worktree])).toHaveLength(allowed ? 1 : 0);
    });
  check('its own alone', ['allow ada: alice/**'], false, /no rule allows it as team\/payments to ada/);
  check('all but its own', ['allow ada: team/**', 'allow ada: base'], false, /allows it as alice\/wt to/);
  check('all', ['allow ada: alice/*', 'allow ada: git/team/*', 'allow ada: base'], true, /as base to ada/);
  check(
    'all, with one denied',
    ['allow ada: **', 'deny ada: team/**'],
    false,
    /access\.rules\[1\] denies it as team\/payments to ada/,
  );
  check(
    'names of another host do not count',
    ['allow ada: alice/*', 'allow ada: forge/**'],
    false,
    /as team/,
  );
});

describe('on a host with permissions of its own, its answer for a proven account is the bound', () => {
  const check = (
    name: string,
    rules: string[],
    caller: Caller,
    place: string,
    allowed: boolean,
    reason: RegExp,
  ) =>
    it(name, async () => {
      expect(await gateOf(rules).explain(caller, repository(place))).toEqual({
        allowed,
        reason: expect.stringMatching(reason),
      });
    });
  const adaAtForge = person('ada', proven('ada-gh'));

  check('readable there', [], adaAtForge, 'forge/acme/payments', true, /lets a proven account/);
  check('not readable there', ['allow *: **'], adaAtForge, 'forge/acme/other', false, /does not let ada/);
  check('readable and denied', ['deny ada: acme/*'], adaAtForge, 'forge/acme/payments', false, /denies/);
  check('no proven account', ['allow *: **'], ada, 'forge/acme/payments', false, /no proven account/);
  check(
    'an account at another host',
    ['allow *: **'],
    person('ada', { forgeAccounts: [{ host: 'git', account: 'ada-gh' }] }),
    'forge/acme/payments',
    false,
    /no proven account/,
  );
  check(
    'a host that fails',
    ['allow *: **'],
    person('ada', proven('broken')),
    'forge/acme/payments',
    false,
    /did not say .*said 500/,
  );
  check(
    'a host that hangs',
    ['allow *: **'],
    person('ada', proven('hanging')),
    'forge/acme/payments',
    false,
    /no answer within/,
  );
  check(
    'and elsewhere rules grant as before',
    ['allow ada: **'],
    person('ada', proven('broken')),
    'git/acme/a',
    true,
    /allows/,
  );
});

describe('on behalf of a person, both must see it; a run is its person, but for denials', () => {
  const rules = [
    'allow ada,bot: shared',
    'allow ada: hers',
    'allow bot: its',
    'deny run-7: secret',
    'allow ada: secret',
  ];
  const check = (name: string, caller: Caller, expected: string[]) =>
    it(name, async () => {
      const all = ['git/shared', 'git/hers', 'git/its', 'git/secret'].map(repository);
      expect((await gateOf(rules).visible(caller, all)).map((seen) => seen.name)).toEqual(expected);
    });
  const service = (onBehalfOf: string | null) =>
    person('bot', { subject: { kind: 'service', name: 'bot' }, onBehalfOf });
  check('a service alone', service(null), ['shared', 'its']);
  check('a service for ada', service('ada'), ['shared']);
  check('a service for nobody we know', service('eve'), []);
  check('a run for ada', person('', { subject: { kind: 'run', name: 'run-7' }, onBehalfOf: 'ada' }), [
    'shared',
    'hers',
  ]);
  check('a run for nobody', person('', { subject: { kind: 'run', name: 'run-7' } }), []);
  check('the operator for ada', { ...localCaller(conversation, signal), onBehalfOf: 'ada' }, [
    'shared',
    'hers',
    'secret',
  ]);
});

describe('hidden repositories leave no trace', () => {
  it('the visible list is byte-equal to one of a world in which they never were, for 500 random worlds', async () => {
    const seed = 5;
    const random = new SeededRandom(seed);
    const names = ['a', 'b', 'a/x', 'a/y', 'b/x', 'b/[y]', 'c/x,y', 'c/ z'];
    const globs = ['**', '*', 'a/*', '*/x', 'git/a/**', 'b/[y]', 'c/{x,y}', 'c/*'];
    const people = ['ada', 'bob', '*', '@ops'];
    for (let round = 0; round < 500; round++) {
      const rules = Array.from(
        { length: random.below(6) },
        () => `${random.pick(['allow', 'allow', 'deny'])} ${random.pick(people)}: ${random.pick(globs)}`,
      );
      const caller = person(random.pick(['ada', 'bob', 'eve']), { groups: random.pick([[], ['ops']]) });
      const all = Array.from({ length: random.below(12) }, (_, id) => ({
        id,
        host: random.pick(['git', 'forge', 'gone']),
        name: random.pick(names),
      }));
      const gate = gateOf(rules);
      const seen: GateSubject[] = [];
      for (const candidate of all) {
        if ((await gate.explain(caller, candidate)).allowed) seen.push(candidate);
      }
      const fromAll = await gate.visible(caller, all);
      const fromSeen = await gateOf(rules).visible(caller, seen);
      expect([seed, round, JSON.stringify(fromAll)]).toEqual([seed, round, JSON.stringify(fromSeen)]);
    }
  });

  it('hosts are asked for the same accounts, whatever repositories there are', async () => {
    const asked: string[] = [];
    const counting = host('forge', {
      readableBy: async (account) => {
        asked.push(account);
        return new Set();
      },
    });
    for (const repositories of [[], [repository('git/a')], [repository('forge/acme/payments')]]) {
      const gate = createGate({ rules: [], groups: {} }, { hosts: [counting], clock: { now: () => 0 } });
      await gate.visible(person('ada', proven('ada-gh')), repositories);
    }
    expect(asked).toEqual(['ada-gh', 'ada-gh', 'ada-gh']);
  });
});

describe('a decision is made once for an identity and a list', () => {
  const counted = () => {
    const counts = { asked: 0, fail: false, nowMs: 0 };
    const permissions: HostPermissions = {
      readableBy: async () => {
        counts.asked++;
        if (counts.fail) throw new Error('down');
        return new Set(['acme/payments']);
      },
    };
    const gate = createGate(
      { rules: [], groups: {} },
      { hosts: [host('forge', permissions)], clock: { now: () => counts.nowMs } },
    );
    return { counts, gate };
  };
  const list = [repository('forge/acme/payments'), repository('forge/acme/other')];
  const caller = () => person('ada', proven('ada-gh'));

  it('and the same array comes back, unchangeable, however many ask', async () => {
    const { counts, gate } = counted();
    const answers = await Promise.all([gate.visible(caller(), list), gate.visible(caller(), list)]);
    expect(await gate.visible(caller(), list)).toBe(answers[0]);
    expect(answers[1]).toBe(answers[0]);
    expect(Object.isFrozen(answers[0])).toBe(true);
    expect(counts.asked).toBe(1);
  });

  it('and anew for another identity and for another list', async () => {
    const { gate } = counted();
    const first = await gate.visible(caller(), list);
    expect(await gate.visible(person('bob'), list)).toEqual([]);
    expect(await gate.visible(caller(), [...list])).not.toBe(first);
    expect(await gate.visible({ ...caller(), scopes: [] }, list)).toEqual([]);
    expect(await gate.visible({ ...caller(), onBehalfOf: 'bob' }, list)).toEqual([]);
    expect(await gate.visible(caller(), list)).toBe(first);
  });

  it('and anew after a minute where a host was asked, after a quarter of it where it failed', async () => {
    const { counts, gate } = counted();
    expect(await gate.visible(caller(), list)).toHaveLength(1);
    counts.fail = true;
    counts.nowMs = 59_999;
    expect(await gate.visible(caller(), list)).toHaveLength(1);
    counts.nowMs = 60_000;
    expect(await gate.visible(caller(), list)).toHaveLength(0);
    counts.fail = false;
    counts.nowMs = 74_999;
    expect(await gate.visible(caller(), list)).toHaveLength(0);
    expect(counts.asked).toBe(2);
    counts.nowMs = 75_000;
    expect(await gate.visible(caller(), list)).toHaveLength(1);
  });
});

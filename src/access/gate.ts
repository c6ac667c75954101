import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import type { Host } from '../hosts/index.ts';
import { createForgeGrants, type ForgeGrants } from './forge-grants.ts';
import { type Party, partiesOf } from './party.ts';
import { createRuleBook, type PartyRules } from './rule-book.ts';
import type { AccessOptions, Caller, Decision, Gate, GateSubject } from './types.ts';

export interface GateDeps {
  hosts: readonly Host[];
  clock: Clock;
  /** How long a host may take to say what an account may read; beyond it the answer is no. Default: 10 s. */
  permissionTimeoutMs?: number;
}

/** Visible lists kept per list of repositories: one for each identity that asked lately. */
const identitiesMax = 1000;

export function createGate(options: AccessOptions, deps: GateDeps): Gate {
  const hosts = new Map(deps.hosts.map((host) => [host.name, host]));
  const ruleBook = createRuleBook(options);
  const forge = createForgeGrants(hosts, {
    clock: deps.clock,
    timeoutMs: deps.permissionTimeoutMs ?? 10_000,
  });
  const kept = new WeakMap<readonly GateSubject[], LRUCache<string, VisibleList>>();

  /** Everything that depends on the caller and not on the repository, so that each decision is quick and waits for nothing. */
  const prepare = async (caller: Caller) => {
    const parties = partiesOf(caller, ruleBook.groupsOf).map((party) => ({
      ...party,
      rules: ruleBook.rulesFor(party),
    }));
    const mayRead = caller.scopes.includes('read');
    return { mayRead, parties, hosts, grants: await forge.load(mayRead ? parties : []) };
  };

  return {
    async visible<T extends GateSubject>(caller: Caller, repositories: readonly T[]) {
      let lists = kept.get(repositories);
      if (!lists) {
        lists = new LRUCache({ max: identitiesMax });
        kept.set(repositories, lists);
      }
      const key = identityKey(caller);
      let list = lists.get(key);
      if (!list || deps.clock.now() >= list.untilMs) {
        const making: VisibleList = {
          untilMs: Number.POSITIVE_INFINITY,
          repositories: prepare(caller).then((asker) => {
            making.untilMs = asker.grants.untilMs;
            return Object.freeze(repositories.filter((repository) => decide(asker, repository).allowed));
          }),
        };
        lists.set(key, making);
        list = making;
      }
      // Kept under `repositories` itself, so what it holds are elements of it.
      return list.repositories as Promise<readonly T[]>;
    },

    async explain(caller, repository) {
      return decide(await prepare(caller), repository);
    },
  };
}

interface VisibleList {
  repositories: Promise<readonly GateSubject[]>;
  untilMs: number;
}

interface Asker {
  mayRead: boolean;
  parties: readonly (Party & { rules: PartyRules })[];
  hosts: ReadonlyMap<string, Host>;
  grants: ForgeGrants;
}

/** The one place where it is decided who may see what. */
function decide(asker: Asker, repository: GateSubject): Decision {
  if (!asker.mayRead) return no('the scope read is missing');
  const decisions = asker.parties.flatMap((party) =>
    namesOf(repository).map((named) => decideFor(party, asker, named)),
  );
  return decisions.find(({ allowed }) => !allowed) ?? yes(decisions.map(({ reason }) => reason).join('; '));
}

/** One for each name that must be allowed; `as` says which, where there are several. */
function namesOf({ id, host, name, alsoNamed = [] }: GateSubject): (GateSubject & { as: string })[] {
  if (alsoNamed.length === 0) return [{ id, host, name, as: '' }];
  return [name, ...alsoNamed].map((one) => ({ id, host, name: one, as: ` as ${one}` }));
}

function decideFor(
  party: Asker['parties'][number],
  { hosts, grants }: Asker,
  repository: GateSubject & { as: string },
): Decision {
  const { as } = repository;
  if (party.grants === 'everything') return yes("the operator's own shell sees everything");
  const denial = party.rules.first('deny', repository);
  if (denial) return no(`${denial} denies it${as} to ${party.name}`);
  if (party.grants === 'denials-alone') return yes(`no rule denies it${as} to ${party.name}`);
  const host = hosts.get(repository.host);
  if (!host) return no(`no host ${repository.host} is configured`);
  if (!host.permissions) {
    const permission = party.rules.first('allow', repository);
    return permission
      ? yes(`${permission} allows it${as} to ${party.name}`)
      : no(`no rule allows it${as} to ${party.name}`);
  }
  const answers = grants.of(host.name, party);
  if (answers.some((grant) => grant.kind === 'known' && grant.readable.has(repository.name))) {
    return yes(`${host.name} lets a proven account of ${party.name} read it${as}, and no rule denies it`);
  }
  const unknown = answers.find((grant) => grant.kind === 'unknown');
  if (unknown) return no(`${host.name} did not say what ${party.name} may read: ${unknown.why}`);
  return answers.length === 0
    ? no(`${party.name} has no proven account at ${host.name}`)
    : no(`${host.name} does not let ${party.name} read it${as}`);
}

function yes(reason: string): Decision {
  return { allowed: true, reason };
}

function no(reason: string): Decision {
  return { allowed: false, reason };
}

/** All of a caller that a decision looks at. */
function identityKey({ subject, onBehalfOf, groups, forgeAccounts, scopes }: Caller): string {
  return JSON.stringify([
    subject.kind,
    subject.name,
    onBehalfOf,
    [...groups].sort(),
    forgeAccounts.map(({ host, account }) => JSON.stringify([host, account])).sort(),
    scopes.includes('read'),
  ]);
}

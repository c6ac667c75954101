import { globMatcher } from '../base/glob.ts';
import type { Party } from './party.ts';
import type { AccessOptions, AccessRule, GateSubject } from './types.ts';

/** The config's rules, ready to be asked. */
export interface RuleBook {
  groupsOf(person: string): readonly string[];
  /** Of the rules that are for this party. */
  rulesFor(party: Party): PartyRules;
}

export interface PartyRules {
  /** The first rule of this effect that covers the repository, as its place in the config, or null. */
  first(effect: AccessRule['effect'], repository: GateSubject): string | null;
}

export function createRuleBook(options: AccessOptions): RuleBook {
  const rules = options.rules.map((rule, index) => ({
    effect: rule.effect,
    people: new Set(rule.people),
    groups: rule.groups,
    globs: rule.repositories.map(globMatcher),
    shown: `access.rules[${index}]`,
  }));
  const groups = new Map<string, string[]>();
  for (const [group, people] of Object.entries(options.groups)) {
    for (const person of people) groups.set(person, [...(groups.get(person) ?? []), group]);
  }
  return {
    groupsOf: (person) => groups.get(person) ?? [],
    rulesFor(party) {
      const own = rules.filter(
        (rule) =>
          rule.people.has('*') ||
          rule.people.has(party.name) ||
          rule.groups.some((group) => party.groups.has(group)),
      );
      return {
        first(effect, { host, name }) {
          const withHost = `${host}/${name}`;
          const found = own.find(
            (rule) => rule.effect === effect && rule.globs.some((covers) => covers(name) || covers(withHost)),
          );
          return found?.shown ?? null;
        },
      };
    },
  };
}

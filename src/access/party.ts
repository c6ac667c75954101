import type { Caller } from './types.ts';

/** One who must be allowed to see a repository before a caller may. */
export interface Party {
  name: string;
  groups: ReadonlySet<string>;
  forgeAccounts: Caller['forgeAccounts'];
  /**
   * `own`: what hosts and rules grant to this party. `everything`: the operator's shell. `denials-alone`: nothing is granted to it as
   * such, and what rules deny to it stays denied.
   */
  grants: 'own' | 'everything' | 'denials-alone';
}

/**
 * Who stands behind a call; every party must see a repository.
 *
 * Alone, a subject sees what is granted to its name and groups, whatever its kind. On behalf of a person, both must see it: a service
 * never reaches more through a person than it may itself, nor more than the person may. The token's groups and proven accounts are
 * the service's; the person has the groups that the config says. A run is different, since it exists for its person alone: it needs
 * no grants of its own, and the groups and accounts in its caller are the person's.
 */
export function partiesOf(
  { subject, onBehalfOf, groups, forgeAccounts }: Caller,
  groupsOf: (person: string) => readonly string[],
): Party[] {
  const party = (name: string, given: Partial<Party> = {}): Party => ({
    name,
    groups: new Set(groupsOf(name)),
    forgeAccounts: [],
    grants: 'own',
    ...given,
  });
  const withGroups = (name: string) => new Set([...groups, ...groupsOf(name)]);
  const acting: Party =
    subject.kind === 'local'
      ? party(subject.name, { grants: 'everything' })
      : party(subject.name, { groups: withGroups(subject.name), forgeAccounts });
  if (onBehalfOf === null) return [acting];
  if (subject.kind !== 'run') return [acting, party(onBehalfOf)];
  return [
    party(subject.name, { grants: 'denials-alone' }),
    party(onBehalfOf, { groups: withGroups(onBehalfOf), forgeAccounts }),
  ];
}

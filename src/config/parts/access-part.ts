import { z } from 'zod';
import { evenBesideOtherFaults } from './meaning.ts';

const name = z.string().min(1).max(256);

const rule = z
  .strictObject({
    effect: z
      .enum(['allow', 'deny'])
      .describe('What the rule does. A matching deny beats every allow; what no rule allows is hidden.'),
    people: z
      .array(name)
      .max(10_000)
      .default([])
      .describe('Exact names of the subjects of tokens, services included. `*` is everyone.'),
    groups: z
      .array(name)
      .max(10_000)
      .default([])
      .describe('Groups, of the tokens and of `access.groups`, whose members the rule is for.'),
    repositories: z
      .array(z.string().min(1).max(1000))
      .min(1)
      .max(10_000)
      .describe(
        'Globs over `name` and over `host/name`, in exact letter case: `*` and `?` never cross a slash, `**` does, `{a,b}` is either, every other character is itself.',
      ),
  })
  .refine(
    (written) =>
      !Array.isArray(written.people) ||
      !Array.isArray(written.groups) ||
      written.people.length + written.groups.length > 0,
    {
      error: 'is for nobody: name people or groups, or "*" in people for everyone',
      when: evenBesideOtherFaults,
    },
  );

export const accessPart = z
  .strictObject({
    groups: z
      .record(name, z.array(name).max(100_000))
      .default({})
      .describe(
        'Groups and the people in them, besides the groups that tokens carry: `platform: [ada, lin]`.',
      ),
    rules: z
      .array(rule)
      .max(10_000)
      .default([{ effect: 'allow', people: ['operator'], groups: [], repositories: ['**'] }])
      .describe(
        'Who may see which repositories. On folder and git hosts they alone grant. Default: the person `operator` sees everything; rules that are written replace that.',
      ),
  })
  .prefault({});

/** access' AccessOptions. */
export interface AccessConfig {
  rules: readonly {
    effect: 'allow' | 'deny';
    people: readonly string[];
    groups: readonly string[];
    repositories: readonly string[];
  }[];
  groups: Readonly<Record<string, readonly string[]>>;
}

export function accessConfig(written: z.output<typeof accessPart>): AccessConfig {
  return { rules: written.rules, groups: written.groups };
}

import { z } from 'zod';
import { count, duration } from '../quantity.ts';

const name = z.string().min(1).max(256);

export const tracesPart = z
  .strictObject({
    keep: z
      .boolean()
      .default(true)
      .describe(
        'Whether searches by meaning are kept with what was used of them, to measure and to improve the ranking. false keeps nothing and deletes what was kept.',
      ),
    retention: duration('90d', { zero: true, least: '1h' }).describe(
      'How long a search is kept. 0 keeps it until there are more than searchesMax.',
    ),
    searchesMax: count(20_000, { most: 1_000_000 }).describe(
      'Searches kept; the oldest go first. One takes some 5 kB of the database.',
    ),
    optOut: z
      .strictObject({
        accounts: z
          .array(name)
          .max(10_000)
          .default([])
          .describe('Accounts whose searches are not kept, by their exact names.'),
        repositories: z
          .array(z.string().min(1).max(1000))
          .max(10_000)
          .default([])
          .describe(
            'Globs over `name` and `host/name`: no place in these repositories is kept, and no search that was narrowed to one of them.',
          ),
      })
      .prefault({})
      .describe('What is left out. It goes for searches that were kept before, too.'),
  })
  .prefault({});

/** retrieval's TracesOptions. */
export interface TracesConfig {
  kept: boolean;
  retentionMs: number;
  searchesMax: number;
  optOut: { accounts: readonly string[]; repositories: readonly string[] };
}

export function tracesConfig(written: z.output<typeof tracesPart>): TracesConfig {
  return {
    kept: written.keep,
    retentionMs: written.retention,
    searchesMax: written.searchesMax,
    optOut: written.optOut,
  };
}

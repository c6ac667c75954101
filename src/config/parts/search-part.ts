import { z } from 'zod';
import { count, duration } from '../quantity.ts';
import { evenBesideOtherFaults } from './meaning.ts';

const engines = ['native', 'zoekt'] as const;
type Engine = (typeof engines)[number];

export const searchPart = z
  .strictObject({
    engine: z
      .enum(engines)
      .default('native')
      .describe(
        'What answers exact searches: native is the index that Periscope builds itself, zoekt asks zoekt-webservers that you run.',
      ),
    threads: count(0, { least: 0, most: 256 }).describe(
      'Threads that search. 0 is one for each core of the machine.',
    ),
    timeBudget: duration('5s', { least: '10ms', most: '10m' }).describe(
      'Time that one search may take; what it has found by then is the answer, which says so.',
    ),
    repositorySets: z
      .record(
        z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, {
          error: 'must be of letters, digits, dots, dashes and underscores, at most 63',
        }),
        z.array(z.string().min(1).max(1024)).min(1).max(10_000),
      )
      .default({})
      .describe(
        'Named sets of repositories, for example payments: [acme/payments/*, work/billing]. A search over `repo:@payments` looks into those that one of the globs fits; the gate still decides what an asker may see.',
      ),
    zoekt: z
      .strictObject({
        urls: z
          .array(
            z
              .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
              .refine((url) => !URL.canParse(url) || new URL(url).username === '', {
                error: 'must not hold a user name or password',
              }),
          )
          .min(1)
          .max(100)
          .default(['http://127.0.0.1:6070'])
          .describe('URLs of zoekt-webservers, each started with -rpc. Several are asked at once.'),
        pathPrefix: z
          .string()
          .max(1024)
          .default('')
          .describe(
            "What the servers put in front of every repository's name, such as the folder of the mirrors; it is taken off.",
          ),
        hostPrefixes: z
          .record(z.string(), z.string().max(1024))
          .superRefine(checkPrefixes, { when: evenBesideOtherFaults })
          .default({})
          .describe(
            "How repositories of a host begin in zoekt, behind pathPrefix, where that is not the host's name and a slash. For example github: github.com/ for a host named github. Two hosts cannot begin alike.",
          ),
        searchTimeout: duration('30s', { least: '100ms', most: '10m' }).describe(
          'Wall-clock bound of one search.',
        ),
        listTimeout: duration('10s', { least: '100ms', most: '10m' }).describe(
          'Wall-clock bound of one listing of repositories.',
        ),
      })
      .prefault({})
      .describe('The zoekt-webservers of `engine: zoekt`.'),
  })
  .prefault({});

/** The parts go to search's pool and engines, operations and the query parser. */
export interface SearchConfig {
  engine: Engine;
  /** 0: one for each core. */
  threads: number;
  timeBudgetMs: number;
  repositorySets: Readonly<Record<string, readonly string[]>>;
  /** search's ZoektOptions. */
  zoekt: {
    /** Without a trailing slash. */
    urls: readonly string[];
    pathPrefix: string;
    hostPrefixes: Readonly<Record<string, string>>;
    searchTimeoutMs: number;
    listTimeoutMs: number;
  };
}

export function searchConfig({ zoekt, ...written }: z.output<typeof searchPart>): SearchConfig {
  return {
    engine: written.engine,
    threads: written.threads,
    timeBudgetMs: written.timeBudget,
    repositorySets: written.repositorySets,
    zoekt: {
      urls: zoekt.urls.map((url) => url.replace(/\/+$/, '')),
      pathPrefix: zoekt.pathPrefix,
      hostPrefixes: zoekt.hostPrefixes,
      searchTimeoutMs: zoekt.searchTimeout,
      listTimeoutMs: zoekt.listTimeout,
    },
  };
}

const seenPrefixes = z.record(z.string(), z.unknown()).catch({});

function checkPrefixes(written: unknown, context: z.RefinementCtx): void {
  const takenBy = new Map<unknown, string>();
  for (const [host, prefix] of Object.entries(seenPrefixes.parse(written))) {
    const other = takenBy.get(prefix);
    if (other !== undefined) {
      context.addIssue({ code: 'custom', path: [host], message: `is the prefix of ${other} too` });
    }
    takenBy.set(prefix, host);
  }
}

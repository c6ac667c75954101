import { globMatcher } from '../../base/glob.ts';
import { holdsSecret, keptParameter, keptQuestion } from './kept-question.ts';
import type { SecretFinder, TracedSearch, TracedUse, TraceParameter, TracesOptions } from './types.ts';
import type { KeptSearch } from './write-traces.ts';

const CITATIONS_MAX = 50;
const FEATURES_MAX = 64;
const PARAMETERS_MAX = 32;
const LIST_MAX = 50;
const NARROWED_MAX = 1000;
const PATH_MAX = 4096;

export interface Keeping {
  /** What of a search is kept, cleaned and cut; null where an opt-out leaves it out. */
  search(search: TracedSearch, nowMs: number): KeptSearch | null;
  uses(use: TracedUse): boolean;
}

/** Decides what is kept at all, and makes of a search what may be. */
export function createKeeping(
  { kept, optOut }: TracesOptions,
  { secrets, nameOf }: { secrets: SecretFinder; nameOf(repositoryId: number): string | null },
): Keeping {
  const accounts = new Set(optOut.accounts);
  const globs = optOut.repositories.map(globMatcher);
  const optsOut = (name: string) => globs.some((fits) => fits(name) || fits(afterHost(name)));
  const isOut = (repositoryId: number) => {
    if (globs.length === 0) return false;
    const name = nameOf(repositoryId);
    return name === null || optsOut(name);
  };

  return {
    search(search, nowMs) {
      const { asker, narrowedTo } = search;
      if (!kept || accounts.has(asker.account)) return null;
      if (narrowedTo && (narrowedTo.length > NARROWED_MAX || narrowedTo.some(isOut))) return null;
      const citations = search.citations
        .slice(0, CITATIONS_MAX)
        .filter(({ name, path }) => !optsOut(name) && path.length <= PATH_MAX && !holdsSecret(path, secrets));
      // Nothing but what is opted out was found: the question was about that.
      if (citations.length === 0 && search.citations.length > 0) return null;
      const features = Object.keys(citations[0]?.features ?? {}).slice(0, FEATURES_MAX);
      return {
        atMs: nowMs,
        asker,
        question: keptQuestion(search.question, search.shownTexts, secrets),
        parameters: keptParameters(search.parameters, secrets),
        narrowedTo,
        ranking: keptParameter(search.ranking, secrets),
        features,
        citations: citations.map(({ repositoryId, commit, path, lines, score, features: seen }) => ({
          repositoryId,
          commit,
          path: path.replaceAll('\u0000', '\ufffd'),
          lines,
          score: rounded(score),
          values: features.map((name) => rounded(seen[name] ?? 0)),
        })),
      };
    },
    uses: ({ asker, repositoryId }) => kept && !accounts.has(asker.account) && !isOut(repositoryId),
  };
}

function keptParameters(
  parameters: TracedSearch['parameters'],
  secrets: SecretFinder,
): Record<string, TraceParameter> {
  const clean = <T>(value: T) => (typeof value === 'string' ? keptParameter(value, secrets) : value);
  const entries = Object.entries(parameters).slice(0, PARAMETERS_MAX);
  return Object.fromEntries(
    entries.map(([name, value]): [string, TraceParameter] => [
      clean(name),
      Array.isArray(value) ? value.slice(0, LIST_MAX).map(clean) : clean(value as TraceParameter),
    ]),
  );
}

function afterHost(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

/** Enough digits to learn from, few enough to keep many. */
function rounded(value: number): number {
  return Number.isFinite(value) ? Number(value.toPrecision(6)) : 0;
}

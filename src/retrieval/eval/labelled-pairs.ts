import { z } from 'zod';
import { pairUnreadable } from '../errors.ts';
import type { StoredTrace } from '../traces/types.ts';
import type { LabelledPair, LabelledPlace } from './types.ts';

/**
 * Labelled pairs as JSON lines: one question with the places that were wanted. `wanted`, or `used` as `periscope traces export` writes
 * it; whatever else stands there (what was shown, with scores and features) is for other tools.
 */
export interface ExportedPair {
  question: string;
  repositories: readonly string[] | null;
  parameters: Readonly<Record<string, unknown>>;
  used: readonly LabelledPlace[];
  shown: readonly ShownPlace[];
  ranking: string;
  at: string;
}

export interface ShownPlace extends LabelledPlace {
  commit: string;
  score: number;
  features: Readonly<Record<string, number>>;
  /** Tools that took it up. */
  usedBy: readonly string[];
}

/** A search of which something was used, as an example; null where its question was not kept whole, or a repository has no name now. */
export function exportedPair(
  trace: StoredTrace,
  nameOf: (repositoryId: number) => string | null,
): ExportedPair | null {
  if (/\[code\]|\*\*\*|…$/.test(trace.question)) return null;
  const repositories = trace.narrowedTo?.map(nameOf) ?? null;
  if (repositories?.includes(null)) return null;
  const shown = trace.citations.flatMap(({ repositoryId, ...citation }): ShownPlace[] => {
    const repository = nameOf(repositoryId);
    return repository === null ? [] : [{ repository, ...citation }];
  });
  const used = shown
    .filter(({ usedBy }) => usedBy.length > 0)
    .map(({ repository, path, lines }) => ({ repository, path, lines }));
  if (used.length === 0) return null;
  const { question, parameters, ranking, atMs } = trace;
  const at = new Date(atMs).toISOString();
  return { question, repositories: repositories as string[] | null, parameters, used, shown, ranking, at };
}

const place = z.object({
  repository: z.string().min(1),
  path: z.string().min(1),
  lines: z.object({ start: z.int().min(1), end: z.int().min(1) }).nullish(),
});
const places = z.array(place).min(1);
const line = z
  .object({
    question: z.string().min(1).max(4000),
    repositories: z.array(z.string().min(1)).nullish(),
    parameters: z.record(z.string(), z.unknown()).optional(),
    wanted: places.optional(),
    used: places.optional(),
  })
  .refine(({ wanted, used }) => wanted !== undefined || used !== undefined, {
    error: 'has neither wanted nor used',
  });

/** `file` is where the text comes from, for the error. Fails with `retrieval/pair-unreadable` and the line. */
export function parsePairs(text: string, file: string): LabelledPair[] {
  return text.split('\n').flatMap((written, index): LabelledPair[] => {
    if (written.trim() === '') return [];
    const fault = (what: string) => pairUnreadable(file, index + 1, what);
    let value: unknown;
    try {
      value = JSON.parse(written);
    } catch {
      throw fault('it is no JSON');
    }
    const { data, error } = line.safeParse(value);
    if (error) {
      const [issue] = error.issues;
      throw fault(
        issue!.path.length === 0 ? `it ${issue!.message}` : `${issue!.path.join('.')}: ${issue!.message}`,
      );
    }
    const wanted = (data.wanted ?? data.used!).map(({ lines, ...of }) => ({ ...of, lines: lines ?? null }));
    const { question, repositories = null, parameters = {} } = data;
    return [{ question, repositories, parameters, wanted }];
  });
}

import type { FoundFile } from '../../search/index.ts';
import { estimateTokens } from '../present.ts';
import type { CodeQuery } from './code-finder.ts';

/** Files whose lines are shown in one answer. */
export const FILES_MAX = 30;
export const CONTEXT_MAX = 10;
export const LINES_PER_FILE_EXTERNAL = 5;

/** What a caller whose model is external may ask for, on whatever surface. */
export function externalQuery(query: CodeQuery, tokens: number): CodeQuery {
  return {
    ...query,
    // A name costs a token at least.
    filesMax: Math.min(query.filesMax, query.output === 'files' ? tokens : FILES_MAX),
    linesPerFileMax: Math.min(query.linesPerFileMax, LINES_PER_FILE_EXTERNAL),
    contextLines: Math.min(query.contextLines, CONTEXT_MAX),
  };
}

/** The first files, as many as the tokens take; one at least. */
export function filesWithin(files: readonly FoundFile[], tokens: number): readonly FoundFile[] {
  let left = tokens;
  const kept = files.findIndex(({ path, blocks }) => {
    left -= estimateTokens(path) + 1;
    for (const line of blocks.flat()) left -= estimateTokens(line.text) + 1;
    return left < 0;
  });
  return kept === -1 ? files : files.slice(0, Math.max(1, kept));
}

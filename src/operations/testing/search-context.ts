import type { Repository } from '../../catalog/index.ts';
import type { Content, ContentPolicy } from '../../content/index.ts';
import type { Mirror } from '../../mirrors/index.ts';
import type { CodeSearch } from '../../search/index.ts';
import { createCodeFinder } from '../codesearch/code-finder.ts';
import { createSearchScopes } from '../codesearch/search-scopes.ts';
import { parseInput } from '../input.ts';
import { present } from '../present.ts';
import { codesearch } from '../tools/codesearch.ts';
import type { OperationContext, OperationResult, Position, ToolAnswer } from '../types.ts';

export interface SearchContextOptions {
  visible: readonly Repository[];
  search: CodeSearch;
  policy?: ContentPolicy;
}

const letThrough: ContentPolicy = { optedOut: () => false, mask: () => 0, hidesNothing: true };

/** codesearch as the handler runs it, without a gate and without git. */
export function searchContext({ visible, search, policy = letThrough }: SearchContextOptions) {
  const noGit = () => ({}) as Mirror;
  const code = createCodeFinder(
    { timeBudgetMs: 5000, repositorySets: {} },
    {
      search,
      scopes: createSearchScopes(search),
      symbolCoverage: null,
      indexing: null,
      content: {} as Content,
      mirrorOf: noGit,
      policyOf: () => policy,
    },
  );

  async function ask(
    given: Record<string, unknown>,
    {
      after = null,
      tokens = 2000,
      first,
    }: { after?: Position | null; tokens?: number; first?: OperationResult[] } = {},
  ): Promise<ToolAnswer & { position: Position | null }> {
    const { input, notes } = parseInput(codesearch, given);
    const context = {
      input,
      visible,
      target: null,
      after,
      content: {} as Content,
      code,
      graph: null,
      meaning: null,
      indexing: null,
      sendFirst: first ? (result) => void first.push(result) : null,
      mirrorOf: noGit,
      permalink: (place, path, lines) =>
        `https://${place.repository.name}/${path}${lines ? `#L${lines.start}` : ''}`,
      hostProblems: () => [],
      limits: { tokens, scanFilesMax: 0, scanBytesMax: 0, scanTimeMs: 1000, searchTimeMs: 5000 },
      destination: 'local',
      nowMs: 0,
      signal: new AbortController().signal,
    } satisfies Omit<OperationContext<Record<string, unknown>>, 'scans'>;
    const result = await codesearch.run(context as unknown as OperationContext<never>);
    let position: Position | null = null;
    const seal = (at: Position) => {
      position = at;
      return 'CURSOR';
    };
    return { ...present(result, { tool: 'codesearch', notes, tokens, seal }), position };
  }
  return { ask, code };
}

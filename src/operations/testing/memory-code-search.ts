import type {
  CodeSearch,
  FoundFile,
  FoundLine,
  IndexedRevision,
  QueryNode,
  Regex,
  SearchAnswer,
  SearchRequest,
  TextPattern,
} from '../../search/index.ts';
import { compileRegex } from '../../search/index.ts';

export interface MemoryDocument {
  repositoryId: number;
  path: string;
  text: string;
  branch?: string;
}

/** A code search over a few texts: looks at each of them, in the order of the scope and then of paths. For tests of what is made of answers. */
export function memoryCodeSearch(documents: MemoryDocument[]): CodeSearch & {
  /** Counts up as an index does when it is published anew. */
  publish(): void;
  /** With `stopped` told as `budget`: files in another order and another number for each turn. */
  turn: number;
  told: Partial<Pick<SearchAnswer, 'stopped' | 'problems'>> & Partial<SearchAnswer['searched']>;
} {
  let generation = 1;
  const told: ReturnType<typeof memoryCodeSearch>['told'] = {};
  const revisions = (repositoryId?: number): IndexedRevision[] => {
    const ids = new Set(documents.map((one) => one.repositoryId));
    return [...ids]
      .filter((id) => repositoryId === undefined || id === repositoryId)
      .map((id) => ({
        repositoryId: id,
        revision: 'main',
        kind: 'branch',
        isDefault: true,
        commit: commitOf(documents, id),
        committedMs: 0,
        indexedMs: 0,
        checkedMs: 0,
        documents: documents.filter((one) => one.repositoryId === id).length,
        skipped: {},
        maskedSpans: 0,
        policyKey: '',
      }));
  };
  return {
    turn: 0,
    told,
    publish: () => void generation++,
    generation: () => generation,
    revisions,
    close: async () => {},
    async search(request, signal) {
      signal.throwIfAborted();
      const { stopped = null, problems = [], ...searched } = told;
      const offset = request.after?.['o'] ?? 0;
      const inScope = request.scope.flatMap((repository) =>
        documents
          .filter(({ repositoryId }) => repositoryId === repository.id)
          .sort((left, right) => (left.path < right.path ? -1 : 1))
          .map((document) => ({ document, repository })),
      );
      const found = inScope
        .filter(({ document, repository }) => fits(request.query, document, repository))
        .map(({ document }) => foundFile(document, request, documents));
      const late = stopped === 'budget' ? this.turn : 0;
      const files = [...found.slice(late * 3), ...found.slice(0, late * 3)].slice(0, found.length - late);
      const page = files.slice(offset, offset + request.filesMax);
      const isMore = offset + page.length < files.length;
      const exact = stopped === null;
      return {
        generation,
        files: request.output === 'lines' || request.output === 'files' ? page : [],
        repositories: countedBy(files, (file) => file.repositoryId).map(([repositoryId, those]) => ({
          repositoryId,
          files: those.length,
          lines: those.reduce((sum, { lineCount }) => sum + lineCount, 0),
        })),
        fileCount: { count: files.length, exact },
        lineCount: { count: files.reduce((sum, { lineCount }) => sum + lineCount, 0), exact },
        facets: {
          repositories: countedBy(files, (file) => file.repositoryId).map(([repositoryId, those]) => ({
            repositoryId,
            files: those.length,
          })),
          languages: [],
          folders: [],
        },
        searched: {
          repositories: request.scope.length,
          documents: inScope.length,
          unindexed: [],
          skipped: {},
          pending: 0,
          ...searched,
        },
        stopped,
        next: isMore ? { g: generation, o: offset + page.length } : null,
        problems,
        notes: [],
        statistics: {
          candidates: inScope.length,
          documentsOpened: inScope.length,
          blocksDecoded: 0,
          blocksCached: 0,
          postingLists: 0,
          postingBytes: 0,
          contentBytesRead: 0,
          textBytesScanned: 0,
          ms: {},
        },
      };
    },
  };
}

const compiled = new WeakMap<TextPattern, Regex>();

function regexOf(pattern: TextPattern): Regex {
  const regex = compiled.get(pattern) ?? compileRegex(pattern.source, pattern);
  compiled.set(pattern, regex);
  return regex;
}

function commitOf(documents: readonly MemoryDocument[], id: number): string {
  const length = documents
    .filter(({ repositoryId }) => repositoryId === id)
    .reduce((sum, { text }) => sum + text.length, 0);
  return length.toString(16).padStart(40, '0');
}

function fits(
  node: QueryNode,
  document: MemoryDocument,
  repository: SearchRequest['scope'][number],
): boolean {
  switch (node.kind) {
    case 'all':
      return node.of.every((one) => fits(one, document, repository));
    case 'any':
      return node.of.some((one) => fits(one, document, repository));
    case 'not':
      return !fits(node.of, document, repository);
    case 'text': {
      const regex = regexOf(node.pattern);
      const inPath = node.where !== 'content' && regex.test(Buffer.from(document.path));
      return inPath || (node.where !== 'path' && regex.scan(Buffer.from(document.text)).lines.length > 0);
    }
    case 'repository': {
      const regex = regexOf(node.pattern);
      return [repository.name, `${repository.host}/${repository.name}`].some((name) =>
        regex.test(Buffer.from(name)),
      );
    }
    default:
      return true;
  }
}

function foundFile(
  document: MemoryDocument,
  request: SearchRequest,
  documents: readonly MemoryDocument[],
): FoundFile {
  const { repositoryId, path, text } = document;
  const lines = text.replace(/\n$/, '').split('\n');
  const matched = new Map<number, FoundLine['ranges']>();
  for (const pattern of contentPatterns(request.query))
    for (const line of regexOf(pattern).scan(Buffer.from(text)).lines) {
      const ranges = line.ranges.map(({ start, end }) => ({
        start: start - line.start,
        end: end - line.start,
      }));
      matched.set(line.number, [...(matched.get(line.number) ?? []), ...ranges]);
    }
  const blocks: FoundLine[][] = [];
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    const isNear = [...matched.keys()].some((one) => Math.abs(one - number) <= request.contextLines);
    if (!isNear) continue;
    const found = {
      number,
      text: line,
      ranges: matched.get(number) ?? [],
      matched: matched.has(number),
      cut: false,
    };
    const last = blocks.at(-1);
    if (last?.at(-1)?.number === number - 1) last.push(found);
    else blocks.push([found]);
  }
  return {
    repositoryId,
    revision: document.branch ?? 'main',
    commit: commitOf(documents, repositoryId),
    path,
    oid: Buffer.from(text).toString('hex').slice(0, 40).padEnd(40, '0'),
    language: null,
    score: matched.size,
    matchedPath: matched.size === 0,
    matchedSymbol: false,
    pathRanges: [],
    lineCount: matched.size,
    lineCountExact: true,
    blocks: request.output === 'lines' ? blocks : [],
    also: [],
    alsoCount: 0,
  };
}

function contentPatterns(node: QueryNode): TextPattern[] {
  if (node.kind === 'text') return node.where === 'path' ? [] : [node.pattern];
  return node.kind === 'all' || node.kind === 'any' ? node.of.flatMap(contentPatterns) : [];
}

function countedBy<T, K>(all: readonly T[], keyOf: (one: T) => K): [K, T[]][] {
  const groups = new Map<K, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return [...groups];
}

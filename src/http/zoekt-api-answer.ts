import type { FoundCode } from '../operations/index.ts';
import type { ZoektRevision } from './types.ts';

type SearchAnswer = FoundCode['answer'];
type FoundFile = SearchAnswer['files'][number];
type FoundLine = FoundFile['blocks'][number][number];
type Repository = NonNullable<ReturnType<FoundCode['repositories']['get']>>;

export interface AnswerForm {
  chunks: boolean;
  contextLines: number;
  matchesMax: number;
  durationMs: number;
}

/** What zoekt calls a repository: one name for each. */
export function zoektName({ host, name }: Repository): string {
  return `${host}/${name}`;
}

/**
 * zoekt's number of a repository. Our own count up, and one that is missing between two would tell of what is hidden, so this one
 * comes from the name alone (FNV-1a, 31 bits; zoekt takes 0 for none).
 */
export function zoektNumber(repository: Repository): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(zoektName(repository))) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 1 || 1;
}

/** zoekt's SearchResult. */
export function zoektResult({ answer, repositories }: FoundCode, form: AnswerForm): object {
  let left = form.matchesMax;
  const files = answer.files.flatMap((file) => {
    const repository = repositories.get(file.repositoryId);
    if (!repository || left <= 0) return [];
    const blocks = withinMatches(file.blocks, left);
    left -= Math.max(1, blocks.flat().filter(({ matched }) => matched).length);
    return [fileMatch({ ...file, blocks }, repository, form)];
  });
  const names = [...new Set(files.map(({ Repository: name }) => name))];
  const noUrls = Object.fromEntries(names.map((name) => [name, '']));
  return {
    ...zoektStats(answer, form.durationMs),
    // zoekt has null for none; a list is read by everyone who reads that.
    Files: files,
    RepoURLs: noUrls,
    LineFragments: noUrls,
  };
}

/**
 * zoekt's Stats. What was left out is said as zoekt says it, by counts above zero. What was read of the index for an answer depends
 * on what lies beside it there, hidden repositories included, and is told to nobody.
 */
export function zoektStats(answer: SearchAnswer, durationMs: number): object {
  const { statistics, stopped, fileCount, lineCount, searched } = answer;
  return {
    ContentBytesLoaded: 0,
    IndexBytesLoaded: 0,
    Crashes: answer.problems.length,
    Duration: Math.round(durationMs * 1e6),
    FileCount: fileCount.count,
    ShardFilesConsidered: searched.documents,
    FilesConsidered: statistics.documentsOpened,
    FilesLoaded: statistics.documentsOpened,
    FilesSkipped: stopped === 'enough' || stopped === 'limit' ? 1 : 0,
    ShardsScanned: searched.repositories,
    ShardsSkipped: stopped === 'budget' ? 1 : 0,
    ShardsSkippedFilter: 0,
    MatchCount: lineCount.count,
    NgramMatches: 0,
    NgramLookups: 0,
    Wait: 0,
    MatchTreeConstruction: 0,
    MatchTreeSearch: 0,
    RegexpsConsidered: 0,
    FlushReason: 0,
  };
}

function withinMatches(blocks: FoundFile['blocks'], matchesMax: number): FoundFile['blocks'] {
  let left = matchesMax;
  return blocks.flatMap((block) => {
    if (left <= 0) return [];
    const matched = block.filter((line) => line.matched).length;
    left -= matched;
    if (left >= 0) return [block];
    const last = block.filter((line) => line.matched).at(left - 1);
    return [block.slice(0, block.indexOf(last!) + 1)];
  });
}

function fileMatch(file: FoundFile, repository: Repository, form: AnswerForm) {
  const isPathAlone = file.blocks.length === 0;
  const matches = form.chunks
    ? {
        ChunkMatches: isPathAlone
          ? [pathChunk(file)]
          : file.blocks
              .flatMap((block) => chunksOf(block, form))
              .map((chunk) => chunkMatch(chunk, file.score)),
      }
    : {
        LineMatches: isPathAlone
          ? [pathLine(file)]
          : file.blocks.flatMap((block) => lineMatches(block, file.score, form)),
      };
  return {
    FileName: file.path,
    Repository: zoektName(repository),
    Version: file.commit,
    Language: file.language ?? '',
    Branches: branchesOf(file),
    ...matches,
    Checksum: Buffer.from(file.oid, 'hex').toString('base64'),
    Score: file.score,
    RepositoryID: zoektNumber(repository),
  };
}

/** Branches of the file's own repository that have the same at the same path. */
export function branchesOf(file: FoundFile): string[] {
  const same = [file, ...file.also].filter(
    ({ repositoryId, path }) => repositoryId === file.repositoryId && path === file.path,
  );
  return [...new Set(same.map(({ revision }) => revision))];
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function lineMatches(block: readonly FoundLine[], score: number, { contextLines }: AnswerForm) {
  const around = (lines: readonly FoundLine[]) =>
    contextLines === 0 ? null : base64(lines.map(({ text }) => `${text}\n`).join(''));
  return block.flatMap((line, index) => {
    if (!line.matched) return [];
    const start = startOf(block, index);
    return [
      {
        Line: base64(`${line.text}\n`),
        LineStart: start,
        LineEnd: start + Buffer.byteLength(line.text) + 1,
        LineNumber: line.number,
        Before: around(block.slice(Math.max(0, index - contextLines), index)),
        After: around(block.slice(index + 1, index + 1 + contextLines)),
        FileName: false,
        Score: score,
        DebugScore: '',
        LineFragments: line.ranges.map((range) => ({
          LineOffset: range.start,
          Offset: start + range.start,
          MatchLength: range.end - range.start,
          SymbolInfo: null,
        })),
      },
    ];
  });
}

/** The path as a line, where nothing of the content is shown. */
function pathLine(file: FoundFile) {
  return {
    Line: base64(file.path),
    LineStart: 0,
    LineEnd: 0,
    LineNumber: 0,
    Before: null,
    After: null,
    FileName: true,
    Score: file.score,
    DebugScore: '',
    LineFragments: pathRanges(file).map(({ start, end }) => ({
      LineOffset: start,
      Offset: start,
      MatchLength: end - start,
      SymbolInfo: null,
    })),
  };
}

function pathChunk(file: FoundFile) {
  const at = (offset: number) => location(offset, 1, columnIn(file.path, offset));
  return {
    DebugScore: '',
    Content: base64(file.path),
    Ranges: pathRanges(file).map(({ start, end }) => ({ Start: at(start), End: at(end) })),
    SymbolInfo: null,
    FileName: true,
    ContentStart: location(0, 1, 1),
    Score: file.score,
    BestLineMatch: 0,
  };
}

function pathRanges({ path, pathRanges: ranges }: FoundFile) {
  return ranges.length > 0 ? ranges : [{ start: 0, end: Buffer.byteLength(path) }];
}

/** Without lines around them zoekt keeps neighbouring lines apart. */
function chunksOf(block: readonly FoundLine[], { contextLines }: AnswerForm): (readonly FoundLine[])[] {
  return contextLines > 0 ? [block] : block.filter(({ matched }) => matched).map((line) => [line]);
}

function chunkMatch(block: readonly FoundLine[], score: number) {
  const ranges = block.flatMap((line, index) => {
    const start = startOf(block, index);
    const at = (offset: number) => location(start + offset, line.number, columnIn(line.text, offset));
    return line.ranges.map((range) => ({ Start: at(range.start), End: at(range.end) }));
  });
  return {
    DebugScore: '',
    Content: base64(block.map(({ text }) => `${text}\n`).join('')),
    Ranges: ranges,
    SymbolInfo: null,
    FileName: false,
    ContentStart: location(startOf(block, 0), block[0]!.number, 1),
    Score: score,
    BestLineMatch: block.find(({ matched }) => matched)?.number ?? block[0]!.number,
  };
}

function location(offset: number, line: number, column: number) {
  return { ByteOffset: offset, LineNumber: line, Column: column };
}

/**
 * The byte offset of a line, counted from where its block begins: no answer knows it from the start of the file, and clients cut
 * texts by differences.
 */
function startOf(block: readonly FoundLine[], index: number): number {
  let start = 0;
  for (const { text } of block.slice(0, index)) start += Buffer.byteLength(text) + 1;
  return start;
}

/** In code points, from 1. */
function columnIn(text: string, offset: number): number {
  return [...Buffer.from(text).subarray(0, offset).toString()].length + 1;
}

/** What a search over nothing answers. */
export const noZoektResult: object = {
  ContentBytesLoaded: 0,
  IndexBytesLoaded: 0,
  Crashes: 0,
  Duration: 0,
  FileCount: 0,
  ShardFilesConsidered: 0,
  FilesConsidered: 0,
  FilesLoaded: 0,
  FilesSkipped: 0,
  ShardsScanned: 0,
  ShardsSkipped: 0,
  ShardsSkippedFilter: 0,
  MatchCount: 0,
  NgramMatches: 0,
  NgramLookups: 0,
  Wait: 0,
  MatchTreeConstruction: 0,
  MatchTreeSearch: 0,
  RegexpsConsidered: 0,
  FlushReason: 0,
  Files: [],
  RepoURLs: {},
  LineFragments: {},
};

interface Listed {
  repository: Repository;
  revisions: readonly ZoektRevision[];
}

/** zoekt's RepoList, in one of two forms: 2 is the short one, by number. One whose number another has comes in the long form there. */
export function zoektList(entries: readonly Listed[], field: number): object {
  const documents = entries.reduce((sum, entry) => sum + documentsOf(entry), 0);
  const short = new Map<number, object>();
  const long: object[] = [];
  for (const entry of entries) {
    const number = zoektNumber(entry.repository);
    if (field !== 2 || short.has(number)) long.push(listEntry(entry));
    else short.set(number, shortEntry(entry));
  }
  return {
    Repos: long,
    ReposMap: Object.fromEntries(short),
    Crashes: 0,
    Stats: listStats({ repositories: entries.length, shards: entries.length, documents }),
  };
}

function shortEntry(entry: Listed): object {
  return {
    HasSymbols: false,
    Branches: branchList(entry),
    IndexTimeUnix: Math.floor(newest(entry, 'indexedMs') / 1000),
  };
}

function listEntry(entry: Listed): object {
  const { repository } = entry;
  return {
    Repository: {
      TenantID: 0,
      ID: zoektNumber(repository),
      Name: zoektName(repository),
      URL: repository.webUrl ?? '',
      Metadata: null,
      Source: '',
      Branches: branchList(entry),
      SubRepoMap: {},
      CommitURLTemplate: '',
      FileURLTemplate: '',
      LineFragmentTemplate: '',
      RawConfig: { archived: flag(repository.archived), fork: flag(repository.fork) },
      Rank: 0,
      IndexOptions: '',
      HasSymbols: false,
      Tombstone: false,
      LatestCommitDate: timeOf(newest(entry, 'committedMs')),
    },
    IndexMetadata: {
      IndexFormatVersion: 0,
      IndexFeatureVersion: 0,
      IndexMinReaderVersion: 0,
      IndexTime: timeOf(newest(entry, 'indexedMs')),
      PlainASCII: false,
      LanguageMap: {},
      ZoektVersion: '',
      ID: '',
    },
    Stats: listStats({ repositories: 0, shards: 1, documents: documentsOf(entry) }),
  };
}

function branchList({ revisions }: Listed) {
  const ordered = [...revisions].sort((a, b) => Number(b.isDefault) - Number(a.isDefault));
  return ordered.map(({ revision, commit }) => ({ Name: revision, Version: commit }));
}

/** Branches have most of their files in common, and zoekt counts those once. */
function documentsOf({ revisions }: Listed): number {
  return Math.max(0, ...revisions.map(({ documents }) => documents));
}

function newest({ revisions }: Listed, key: 'committedMs' | 'indexedMs'): number {
  return Math.max(0, ...revisions.map((revision) => revision[key]));
}

function listStats(counts: { repositories: number; shards: number; documents: number }) {
  return {
    Repos: counts.repositories,
    Shards: counts.shards,
    Documents: counts.documents,
    IndexBytes: 0,
    ContentBytes: 0,
    NewLinesCount: 0,
    DefaultBranchNewLinesCount: 0,
    OtherBranchesNewLinesCount: 0,
  };
}

function flag(is: boolean): string {
  return is ? '1' : '0';
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

/**
 * Reads what zoekt-webservers of any age answer, and proxies before them: lists that are null or missing, `Files` or `FileMatches`,
 * lines as `LineMatches`, `ChunkMatches` or the page's `Matches`, bytes in base64 or plain. What cannot be read is left out, and
 * counted where it was a match.
 */
export interface ZoektAnswer {
  files: ZoektFile[];
  statistics: ZoektStatistics;
}

export interface ZoektFile {
  repository: string;
  /** Of a repository within the repository, whose content it is; else empty. */
  subRepository: string;
  path: string;
  commit: string;
  branches: string[];
  language: string;
  score: number;
  lines: ZoektLine[];
  /** Byte ranges of matches within the path. */
  pathRanges: Range[];
}

export interface ZoektLine {
  /** From 1. */
  number: number;
  /** Without its line break. */
  bytes: Buffer;
  /** Empty for lines around a match. */
  ranges: Range[];
  score: number;
}

interface Range {
  start: number;
  end: number;
}

export interface ZoektStatistics {
  fileCount: number;
  matchCount: number;
  filesConsidered: number;
  filesLoaded: number;
  filesSkipped: number;
  shardsSkipped: number;
  contentBytesLoaded: number;
  indexBytesLoaded: number;
  crashes: number;
  durationNs: number;
  waitNs: number;
}

export interface ZoektRepository {
  id: number;
  name: string;
  branches: { name: string; commit: string }[];
  committedMs: number;
  indexedMs: number;
  documents: number;
}

type Json = Readonly<Record<string, unknown>>;

/** Null if the answer is none of a search. */
export function readSearchAnswer(answer: unknown): ZoektAnswer | null {
  const outer = objectOf(answer);
  const result = objectOf(outer?.['Result'] ?? outer?.['result']);
  if (!result) return null;
  const stats = objectOf(result['Stats']) ?? result;
  const count = (key: string) => numberOf(stats[key]);
  return {
    files: listOf(result['Files'] ?? result['FileMatches']).flatMap(readFile),
    statistics: {
      fileCount: count('FileCount'),
      matchCount: count('MatchCount'),
      filesConsidered: count('FilesConsidered'),
      filesLoaded: count('FilesLoaded'),
      filesSkipped: count('FilesSkipped'),
      shardsSkipped: count('ShardsSkipped'),
      contentBytesLoaded: count('ContentBytesLoaded'),
      indexBytesLoaded: count('IndexBytesLoaded'),
      crashes: count('Crashes'),
      durationNs: count('Duration'),
      waitNs: count('Wait'),
    },
  };
}

function readFile(json: Json): ZoektFile[] {
  const path = textOf(json['FileName']);
  const repository = textOf(json['Repository']) || textOf(json['Repo']);
  if (path === '' || repository === '') return [];
  const matches = [
    ...listOf(json['LineMatches']).map(readLineMatch),
    ...listOf(json['ChunkMatches']).map(readChunkMatch),
    ...listOf(json['Matches']).map(readPageMatch),
  ];
  const ofPath = matches.filter(({ isPath }) => isPath);
  return [
    {
      repository,
      subRepository: textOf(json['SubRepositoryName']),
      path,
      commit: textOf(json['Version']),
      branches: Array.isArray(json['Branches']) ? json['Branches'].map(textOf).filter(Boolean) : [],
      language: textOf(json['Language']),
      score: numberOf(json['Score']),
      lines: matches.filter(({ isPath }) => !isPath).flatMap(({ lines }) => lines),
      pathRanges: ofPath.flatMap(({ lines }) => lines.flatMap(({ ranges }) => ranges)),
    },
  ];
}

interface Match {
  isPath: boolean;
  lines: ZoektLine[];
}

function readLineMatch(json: Json): Match {
  const number = numberOf(json['LineNumber']);
  const score = numberOf(json['Score']);
  const [own = Buffer.alloc(0)] = linesOf(bytesOf(json['Line']));
  const ranges = listOf(json['LineFragments']).map((fragment) => {
    const start = numberOf(fragment['LineOffset']);
    return { start, end: start + numberOf(fragment['MatchLength']) };
  });
  const before = linesOf(bytesOf(json['Before']));
  const around = (lines: Buffer[], first: number) =>
    lines.map((bytes, index) => ({ number: first + index, bytes, ranges: [], score: 0 }));
  const lines = [
    ...around(before, number - before.length),
    { number, bytes: own, ranges: within(ranges, own), score },
    ...around(linesOf(bytesOf(json['After'])), number + 1),
  ];
  return { isPath: json['FileName'] === true, lines };
}

/** A piece of the file in whole lines, its ranges counted from the start of the file. */
function readChunkMatch(json: Json): Match {
  const start = objectOf(json['ContentStart']) ?? {};
  const first = Math.max(1, numberOf(start['LineNumber']));
  const score = numberOf(json['Score']);
  let offset = numberOf(start['ByteOffset']);
  const ranges = listOf(json['Ranges']).map((range) => ({
    start: numberOf(objectOf(range['Start'])?.['ByteOffset']),
    end: numberOf(objectOf(range['End'])?.['ByteOffset']),
  }));
  const lines = linesOf(bytesOf(json['Content'])).map((bytes, index) => {
    const from = offset;
    // A chunk is cut at line feeds: a `\r` before one counts, too.
    offset += bytes.length + 1;
    const here = ranges.filter((range) => range.start >= from && range.start < offset);
    const own = here.map((range) => ({ start: range.start - from, end: range.end - from }));
    return { number: first + index, bytes, ranges: within(own, bytes), score: own.length > 0 ? score : 0 };
  });
  return { isPath: json['FileName'] === true, lines };
}

/** Of `GET /search?format=json`: plain texts in pieces. */
function readPageMatch(json: Json): Match {
  const ranges: Range[] = [];
  let line = Buffer.alloc(0);
  for (const fragment of listOf(json['Fragments'])) {
    line = Buffer.concat([line, Buffer.from(textOf(fragment['Pre']))]);
    const start = line.length;
    line = Buffer.concat([line, Buffer.from(textOf(fragment['Match']))]);
    ranges.push({ start, end: line.length });
    line = Buffer.concat([line, Buffer.from(textOf(fragment['Post']))]);
  }
  const [bytes = line] = linesOf(line);
  const number = numberOf(json['LineNum']);
  return { isPath: number === 0, lines: [{ number, bytes, ranges: within(ranges, bytes), score: 0 }] };
}

/** Cut to the line: a match may go on in the next. */
function within(ranges: readonly Range[], line: Buffer): Range[] {
  const cut = (offset: number) => Math.max(0, Math.min(offset, line.length));
  return ranges.map(({ start, end }) => ({ start: cut(start), end: Math.max(cut(start), cut(end)) }));
}

const CARRIAGE_RETURN = 0x0d;

/** Lines without their breaks; a break at the end begins no further one. Lines keep a `\r`, so that offsets stay true. */
function linesOf(text: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from < text.length; ) {
    const feed = text.indexOf(0x0a, from);
    const to = feed < 0 ? text.length : feed;
    lines.push(text.subarray(from, to));
    from = to + 1;
  }
  return lines;
}

/** Without the `\r` of its line break. */
export function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
}

/** Null if the answer is none of a listing. */
export function readListAnswer(answer: unknown): ZoektRepository[] | null {
  const list = objectOf(objectOf(answer)?.['List']);
  if (!list) return null;
  return listOf(list['Repos']).flatMap((entry) => {
    const repository = objectOf(entry['Repository']);
    const name = textOf(repository?.['Name']);
    if (!repository || name === '' || repository['Tombstone'] === true) return [];
    return [
      {
        id: numberOf(repository['ID']),
        name,
        branches: listOf(repository['Branches']).map((branch) => ({
          name: textOf(branch['Name']),
          commit: textOf(branch['Version']),
        })),
        committedMs: timeOf(repository['LatestCommitDate']),
        indexedMs: timeOf(objectOf(entry['IndexMetadata'])?.['IndexTime']),
        documents: numberOf(objectOf(entry['Stats'])?.['Documents']),
      },
    ];
  });
}

function objectOf(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
}

function listOf(value: unknown): Json[] {
  if (!Array.isArray(value)) return [];
  return value.map(objectOf).filter((item) => item !== null);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

/** Go's zero time is of the year 1. */
function timeOf(value: unknown): number {
  return Math.max(0, Date.parse(textOf(value)) || 0);
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Bytes in base64; what is none is taken as the text itself. */
function bytesOf(value: unknown): Buffer {
  const text = textOf(value);
  return Buffer.from(text, BASE64.test(text) ? 'base64' : 'utf8');
}

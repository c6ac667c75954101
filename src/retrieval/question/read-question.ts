import { languageOf } from '../../search/index.ts';

/** What a question looks like: words that mean something, or a text that stands somewhere just so. */
export type QuestionReading = { kind: 'meaning' } | ExactReading;

export interface ExactReading {
  kind: 'exact';
  looks: 'an identifier' | 'a quoted text' | 'a path' | 'a line of a stack trace';
  /** Exact searches for it, the narrowest first. */
  searches: readonly ExactSearch[];
  /** That a stack trace names. */
  line: number | null;
}

export interface ExactSearch {
  /** Taken as it is; null finds files by their path alone. */
  text: string | null;
  /** Glob over paths; null: in every file. */
  file: string | null;
}

const meaning: QuestionReading = { kind: 'meaning' };

/**
 * Tells questions that exact search answers better: whoever pastes an identifier, a quoted text, a path or a line of a stack trace
 * wants the places of that, not what is like it. In doubt it is a question.
 */
export function readQuestion(question: string): QuestionReading {
  const text = question.trim();
  if (text === '' || text.includes('\n')) return firstTraceLine(text) ?? meaning;
  return quoted(text) ?? traceLine(text) ?? path(text) ?? identifier(text) ?? meaning;
}

const quotes: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '“': '”', '«': '»' };

function quoted(text: string): ExactReading | null {
  const close = quotes[text[0]!];
  if (close === undefined || text.length < 3 || !text.endsWith(close)) return null;
  const inside = text.slice(1, -1);
  if (inside.trim() === '' || inside.includes(close) || inside.includes(text[0]!)) return null;
  return { kind: 'exact', looks: 'a quoted text', searches: [{ text: inside, file: null }], line: null };
}

/** Of several pasted lines the first that is of a stack trace. */
function firstTraceLine(text: string): ExactReading | null {
  for (const line of text.split('\n').slice(0, LINES_MAX)) {
    const found = traceLine(line.trim());
    if (found !== null) return found;
  }
  return null;
}

const LINES_MAX = 50;

interface TracePlace {
  symbol?: string | undefined;
  file: string;
  line: string;
}

/** As the runtimes of JavaScript, the JVM, .NET, Python, Go, Rust, Ruby and PHP write them. */
const traceShapes: readonly RegExp[] = [
  // at Session.refresh (src/session.ts:12:5), at com.acme.Session.refresh(Session.java:42)
  /^at (?:async )?(?:new )?(?<symbol>[\p{L}\p{N}_$.<>#[\]\s]*?)\s*\((?<file>[^()\s]+?\.\w+):(?<line>\d+)(?::\d+)?\)$/u,
  // at src/session.ts:12:5
  /^at (?<file>[^()\s]+?\.\w+):(?<line>\d+)(?::\d+)?$/,
  // at Acme.Session.Refresh(String id) in /src/Session.cs:line 12
  /^at (?<symbol>[\p{L}\p{N}_.`<>[\],]+)\([^()]*\) in (?<file>.+?\.\w+):line (?<line>\d+)$/u,
  // File "src/session.py", line 12, in refresh
  /^File "(?<file>[^"]+)", line (?<line>\d+)(?:, in (?<symbol>[\p{L}\p{N}_.<>]+))?$/u,
  // #0 /srv/src/Session.php(12): Acme\Session->refresh()
  /^#\d+ (?<file>[^()\s]+?\.\w+)\((?<line>\d+)\)(?:: (?<symbol>[\p{L}\p{N}_\\:>-]+)\(.*\))?$/u,
  // app/session.rb:12:in `refresh'
  /^(?:from )?(?<file>[^\s:]+?\.\w+):(?<line>\d+):in [`'](?<symbol>[^`']+)'$/,
  // /srv/session.go:12 +0x1d
  /^(?<file>[^\s:]+?\.\w+):(?<line>\d+)(?::\d+)?(?: \+0x[\da-f]+)?:?$/,
];

function traceLine(text: string): ExactReading | null {
  for (const shape of traceShapes) {
    const found = shape.exec(text)?.groups as unknown as TracePlace | undefined;
    if (!found) continue;
    const file = found.file.replace(/^(?:file|webpack(?:-internal)?):\/+/, '').replaceAll('\\', '/');
    // Where the program ran is not where its sources lie: the end of the path is what both have.
    const parts = file.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
    const name = parts.at(-1)!;
    if (languageOf(name) === 0) continue;
    const near = parts.slice(-2).join('/');
    const symbol = lastName(found.symbol ?? '');
    const files = parts.length > 1 ? [near, name] : [name];
    return {
      kind: 'exact',
      looks: 'a line of a stack trace',
      searches: [
        ...(symbol === null ? [] : files.map((one) => ({ text: symbol, file: anywhere(one) }))),
        ...files.map((one) => ({ text: null, file: anywhere(one) })),
        ...(symbol === null ? [] : [{ text: symbol, file: null }]),
      ],
      line: Number(found.line),
    };
  }
  return null;
}

/** The last name of what a trace calls a function; null for those that have none of their own. */
function lastName(symbol: string): string | null {
  const names = symbol.replace(/<[^<>]*>|\[[^\]]*\]|\(.*$/g, '').match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  const last = names.at(-1);
  return last === undefined || last === 'anonymous' || last === 'lambda' ? null : last;
}

function path(text: string): ExactReading | null {
  if (/\s/.test(text) || /^[a-z][a-z+.-]*:\/\//i.test(text)) return null;
  const bare = text.replace(/^@?(?:\.{0,2}\/)+/, '').replace(/\/+$/, '');
  const name = bare.split('/').at(-1)!;
  const isRooted = /^(?:\.{1,2})?\//.test(text);
  const isFile = /\.\w+$/.test(name) && languageOf(name) !== 0;
  if (!(isFile || isRooted || (text.endsWith('/') && bare !== ''))) return null;
  if (!/^[\p{L}\p{N}_.@+~/[\]()-]+$/u.test(bare)) return null;
  const files = bare.includes('/') ? [bare, ...(isFile ? [name] : [])] : [bare];
  return {
    kind: 'exact',
    looks: 'a path',
    searches: files.map((one) => ({ text: null, file: anywhere(one) })),
    line: null,
  };
}

/** A glob for a path at any depth: what are its signs are the path's letters here. */
function anywhere(path: string): string {
  return `**/${path.replace(/[*?[\]{}\\]/g, '?')}`;
}

/** One word that nobody writes in a sentence. */
function identifier(text: string): ExactReading | null {
  const bare = text.replace(/\?$/, '');
  if (/\s/.test(bare) || bare.length < 2) return null;
  const called = bare.replace(/\(\)$/, '');
  const isCall = called !== bare;
  const isName = /^[@$#]?[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|->|#|\\)[\p{L}_$~][\p{L}\p{N}_$]*)*[!?]?$/u.test(
    called,
  );
  const isQualified = /[^\s.]\.[^\s.]|::|->|#./.test(called);
  const isCased = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|_|\$|^[@#]/u.test(called);
  if (isName && (isCall || isQualified || isCased)) return exactly(called);
  // Error codes, header names, flags, ids, addresses: what has such signs within is no word.
  const isCode = /^(?:--?)?[\p{L}\p{N}]+(?:[-_.:/@=][\p{L}\p{N}]+)+$/u.test(bare);
  const isOdd = /^--?\p{L}/u.test(bare) || /\p{N}/u.test(bare) || (bare.match(/-/g)?.length ?? 0) > 1;
  if (isCode && (isOdd || /[:/@=]/.test(bare))) return exactly(bare);
  return null;
}

function exactly(text: string): ExactReading {
  return { kind: 'exact', looks: 'an identifier', searches: [{ text, file: null }], line: null };
}

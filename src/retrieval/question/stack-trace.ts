import { languageOf } from '../../search/index.ts';

export interface ExactSearch {
  /** Taken as it is; null finds files by their path alone. */
  text: string | null;
  /** Glob over paths; null: in every file. */
  file: string | null;
  /** That the question names. */
  line: number | null;
  /** What of the question it looks for. */
  of: 'all' | 'message' | 'innermost frame' | 'outer frame';
}

/** One place that a stack trace names. */
export interface TraceFrame {
  /** Exact searches for it, the narrowest first. */
  searches: readonly ExactSearch[];
  /** As Python writes them: the innermost comes last. */
  isInnermostLast: boolean;
  /** Of a runtime or of a package: whoever asks did not write it. */
  isOthers: boolean;
  at: number;
}

export interface StackTrace {
  message: string | null;
  searches: readonly ExactSearch[];
  frames: number;
}

const LINES_MAX = 200;
/** Frames that are looked for: each costs some searches. */
const FRAMES_MAX = 4;

/**
 * What to look for of pasted lines that hold a stack trace, null where they hold none. The message stands in the code as it is, and
 * says what the trace is about, so it comes first; then the innermost frame, and those around it.
 */
export function stackTrace(text: string): StackTrace | null {
  const lines = text.split('\n').slice(0, LINES_MAX);
  const frames = framesOf(lines);
  if (frames.length === 0) return null;
  const isInnermostLast = frames.some((frame) => frame.isInnermostLast);
  const message = messageOf(lines, frames, isInnermostLast);
  const ordered = isInnermostLast
    ? frames.toReversed()
    : [...frames.filter(({ isOthers }) => !isOthers), ...frames.filter(({ isOthers }) => isOthers)];
  return {
    message,
    searches: [
      ...(message === null ? [] : [{ text: message, file: null, line: null, of: 'message' } as const]),
      ...ordered
        .slice(0, FRAMES_MAX)
        .flatMap(({ searches }, at) =>
          searches.map((search) => (at === 0 ? search : ({ ...search, of: 'outer frame' } as const))),
        ),
    ],
    frames: frames.length,
  };
}

/** The frames among the lines, in their order. */
export function framesOf(lines: readonly string[]): TraceFrame[] {
  return lines.flatMap((line, at) => frameOf(line.trim(), lines[at - 1]?.trim() ?? '', at) ?? []);
}

/** As the runtimes of JavaScript, the JVM, .NET, Python, Go, Rust, Ruby and PHP write them: `file` and `line`, some with a `symbol`. */
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
  // app/session.rb:12:in `refresh': token expired (RuntimeError)
  /^(?:from )?(?<file>[^\s:]+?\.\w+):(?<line>\d+):in [`'](?<symbol>[^`']+)': .+$/,
  // thread 'main' panicked at src/main.rs:5:9:
  /^thread '.*' panicked at (?:'.*', )?(?<file>[^\s:]+\.rs):(?<line>\d+):\d+:?$/,
  // /srv/session.go:12 +0x1d
  /^(?<file>[^\s:]+?\.\w+):(?<line>\d+)(?::\d+)?(?: \+0x[\da-f]+)?:?$/,
];

/** Go and Rust write the function on the line before its place. */
const nameBefore = /^(?:\d+: )?(?<symbol>[\p{L}\p{N}_./:<>*()-]+?)(?:\([^()]*\))?$/u;

function frameOf(text: string, before: string, at: number): TraceFrame | null {
  for (const shape of traceShapes) {
    const found = shape.exec(text)?.groups;
    if (!found) continue;
    const told = found['symbol'];
    const file = found['file']!.replace(/^(?:file|webpack(?:-internal)?):\/+/, '').replaceAll('\\', '/');
    // Where the program ran is not where its sources lie: the end of the path is what both have.
    const parts = file.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
    const name = parts.at(-1)!;
    if (languageOf(name) === 0) continue;
    const isBefore = told === undefined && /\.(?:go|rs)$/.test(name);
    // Go writes receivers in parentheses.
    const named = isBefore ? nameBefore.exec(before)?.groups?.['symbol']?.replace(/[(*)]/g, '') : undefined;
    const symbol = lastName(told ?? named ?? '');
    const isOthers = others.test(file) || runtimes.test(told ?? '');
    const near = parts.slice(-2).join('/');
    // The name of a file alone says nothing about one that lies in a package.
    const files = parts.length === 1 ? [name] : isOthers ? [near] : [near, name];
    const search = { line: Number(found['line']), of: 'innermost frame' } as const;
    const searches: ExactSearch[] = [
      ...(symbol === null ? [] : files.map((one) => ({ ...search, text: symbol, file: anywhere(one) }))),
      ...files.map((one) => ({ ...search, text: null, file: anywhere(one) })),
      ...(symbol === null || isOthers ? [] : [{ ...search, text: symbol, file: null, line: null }]),
    ];
    return { searches, isInnermostLast: text.startsWith('File "'), isOthers, at };
  }
  return null;
}

const others =
  /(?:^|\/)(?:node_modules|node:[\w/]+|site-packages|dist-packages|vendor|gems|rustc|\.cargo|go\/src|go\/pkg|rust\/library)(?:\/|$)|^(?:node:|library\/)|\/lib\/(?:python|ruby)/;
const runtimes = /^(?:java|javax|jdk|sun|kotlin|scala|System|Microsoft)\./;

/** The message that belongs to the innermost frame. */
function messageOf(
  lines: readonly string[],
  frames: readonly TraceFrame[],
  isInnermostLast: boolean,
): string | null {
  const cause = lines.findLast((line) => /^\s*Caused by: /.test(line));
  const caused = cause === undefined ? null : errorMessage(cause.trim());
  if (caused !== null) return caused;
  if (isInnermostLast) {
    const behind = lines
      .slice(frames.at(-1)!.at + 1)
      .find((line) => /^[\p{L}_][\p{L}\p{N}_.]*: \S/u.test(line));
    return behind === undefined ? null : worded(behind.slice(behind.indexOf(': ') + 2));
  }
  for (const [at, line] of lines.entries()) {
    // Rust writes it on the line behind.
    const text = /^thread '.*' panicked at [^']+:$/.test(line.trim()) ? null : line.trim();
    const found = text === null ? worded(lines[at + 1]?.trim() ?? '') : errorMessage(text);
    if (found !== null) return found;
  }
  return null;
}

const messageShapes: readonly RegExp[] = [
  // RuntimeError: no context; Caused by: com.acme.TokenException: expired
  /^(?:Caused by: |Exception in thread "[^"]*" |Unhandled exception[.:] |(?:PHP )?Fatal error:\s+|Uncaught )*[\p{L}_$][\p{L}\p{N}_$.\\:]*?(?:Error|Exception|Warning|Failure|Fault)(?: \[[^\]]+\])?: (?<message>.+)$/u,
  /^(?:Uncaught )?Error(?: \[[^\]]+\])?: (?<message>.+)$/,
  /^panic: (?<message>.+?)(?: \[recovered\])?$/,
  /^thread '.*' panicked at '(?<message>.+)', [^\s:]+:\d+:\d+$/,
  /^[^\s:]+\.\w+:\d+:in [`'][^`']+': (?<message>.+?)(?: \([\p{L}\p{N}_:]+\))?$/u,
];

/** What a program says that fails; null where a line says nothing of that kind. */
export function errorMessage(line: string): string | null {
  for (const shape of messageShapes) {
    const found = shape.exec(line)?.groups?.['message'];
    if (found !== undefined) return worded(found);
  }
  return null;
}

/** A single word is the value that was wrong. */
function worded(message: string): string | null {
  const text = message.trim();
  return /[\p{L}\p{N}]\s+\S*[\p{L}\p{N}]/u.test(text) ? text : null;
}

/** The last name of what a trace calls a function; null for those that have none of their own. */
function lastName(symbol: string): string | null {
  const names = symbol.replace(/<[^<>]*>|\[[^\]]*\]|\(.*$/g, '').match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  const last = names.at(-1);
  return last === undefined || last === 'anonymous' || last === 'lambda' ? null : last;
}

/** A glob for a path at any depth: what are its signs are the path's letters here. */
export function anywhere(path: string): string {
  return `**/${path.replace(/[*?[\]{}\\]/g, '?')}`;
}

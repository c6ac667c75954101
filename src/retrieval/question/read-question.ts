import { languageOf } from '../../search/index.ts';
import { anywhere, type ExactSearch, errorMessage, framesOf, stackTrace } from './stack-trace.ts';

/** What a question looks like: words that mean something, or a text that stands somewhere just so. */
export type QuestionReading = { kind: 'meaning' } | ExactReading;

export interface ExactReading {
  kind: 'exact';
  looks:
    | 'an identifier'
    | 'a quoted text'
    | 'a path'
    | 'a line of a stack trace'
    | 'a stack trace'
    | 'an error message';
  /** Exact searches for it, the best first. */
  searches: readonly ExactSearch[];
  /** What to look for by meaning where all of them find nothing. */
  otherwise: string;
  /** Of a pasted stack trace, how many frames it has. */
  frames: number;
}

const meaning: QuestionReading = { kind: 'meaning' };

/**
 * Tells questions that exact search answers better: whoever pastes an identifier, a quoted text, a path or a line of a stack trace
 * wants the places of that, not what is like it. In doubt it is a question.
 */
export function readQuestion(question: string): QuestionReading {
  const text = question.trim();
  if (text === '') return meaning;
  if (text.includes('\n')) return pasted(text) ?? message(text) ?? meaning;
  return quoted(text) ?? traceLine(text) ?? message(text) ?? path(text) ?? identifier(text) ?? meaning;
}

function pasted(text: string): ExactReading | null {
  const trace = stackTrace(text);
  if (trace === null) return null;
  const { message: said, searches, frames } = trace;
  return { kind: 'exact', looks: 'a stack trace', searches, otherwise: said ?? text, frames };
}

function traceLine(text: string): ExactReading | null {
  const [frame] = framesOf([text]);
  if (frame === undefined) return null;
  return {
    kind: 'exact',
    looks: 'a line of a stack trace',
    searches: frame.searches,
    otherwise: text,
    frames: 0,
  };
}

/** Of a program: it is the text that whoever wrote the program wrote. */
function message(text: string): ExactReading | null {
  const said = errorMessage(text.split('\n')[0]!.trim());
  if (said === null) return null;
  return {
    kind: 'exact',
    looks: 'an error message',
    searches: [{ text: said, file: null, line: null, of: 'message' }],
    otherwise: said,
    frames: 0,
  };
}

const quotes: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '“': '”', '«': '»' };

function quoted(text: string): ExactReading | null {
  const close = quotes[text[0]!];
  if (close === undefined || text.length < 3 || !text.endsWith(close)) return null;
  const inside = text.slice(1, -1);
  if (inside.trim() === '' || inside.includes(close) || inside.includes(text[0]!)) return null;
  return exactly(inside, 'a quoted text');
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
    searches: files.map((one) => ({ text: null, file: anywhere(one), line: null, of: 'all' })),
    otherwise: text,
    frames: 0,
  };
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

function exactly(text: string, looks: ExactReading['looks'] = 'an identifier'): ExactReading {
  const search: ExactSearch = { text, file: null, line: null, of: 'all' };
  return { kind: 'exact', looks, searches: [search], otherwise: text, frames: 0 };
}

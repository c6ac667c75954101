import { looksLikeCode } from './code-like.ts';
import type { SecretFinder } from './types.ts';

/** Longer ones are documents that somebody pasted. */
const READ_MAX = 8192;
const KEPT_MAX = 500;
const PARAMETER_MAX = 200;
/** Shorter lines of a shown text stand in sentences by chance. */
const SHOWN_LINE_MIN = 24;
const SHOWN_CODE_MIN = 10;
/** Comment signs and blanks that a line may have besides its words. */
const SHOWN_SPARE = 40;

const CODE = '[code]';
const SECRET = '***';

/** What of a question may be kept: its words, without credentials, without what looks like code or stands in the texts shown. */
export function keptQuestion(question: string, shownTexts: readonly string[], secrets: SecretFinder): string {
  if (question.length > READ_MAX) return CODE;
  const masked = withoutSecrets(question, secrets);
  // Indented lines of several are a listing; `\`\`\`` that is never closed goes to the end.
  const prose = masked.replace(/```[\s\S]*?(?:```|$)/g, `\n${CODE}\n`).replace(/`[^`\n]*`/g, ticked);
  const lines = prose.split(/\r\n|[\n\r\u2028\u2029]/);
  const isListing = (line: string) => lines.length > 1 && /^(?:\t| {4})/.test(line);
  const kept = lines.map((line) =>
    isListing(line) || looksLikeCode(line.replaceAll(CODE, 'code')) ? CODE : line,
  );
  const text = withoutShown(oneLine(kept.join(' ')), shownTexts);
  return cut(text.replace(/\[code\](?:\s*\[code\])+/g, CODE), KEPT_MAX);
}

/** What of a parameter's text, a glob or a name, may be kept. */
export function keptParameter(text: string, secrets: SecretFinder): string {
  if (text.length > READ_MAX) return CODE;
  const masked = oneLine(withoutSecrets(text, secrets));
  return /\s/.test(masked) && looksLikeCode(masked) ? CODE : cut(masked, PARAMETER_MAX);
}

/** A path that holds a credential is not kept at all: masked, it leads nowhere. */
export function holdsSecret(text: string, secrets: SecretFinder): boolean {
  return secrets.find(Buffer.from(text)).length > 0;
}

function withoutSecrets(text: string, secrets: SecretFinder): string {
  const bytes = Buffer.from(text);
  let masked = '';
  let from = 0;
  for (const { start, end } of secrets.find(bytes)) {
    masked += bytes.toString('utf8', from, start) + SECRET;
    from = end;
  }
  masked += bytes.toString('utf8', from);
  return masked
    .replace(saidSecret, (said, before: string, value: string) =>
      /[\d!@#$%^&*_+=~-]/.test(value.replace(/[.,?!;:)"'`]+$/, '')) ? before + SECRET : said,
    )
    .replace(/[A-Za-z0-9]{20,}/g, (run) => (looksRandom(run) ? SECRET : run));
}

/** "my password is hunter2", "token: abc-123": people write to people, and no rule for files knows that form. */
const saidSecret =
  /(\b(?:pass(?:word|wd|phrase|code)?|pwd|pin|token|secret|credentials?|api[ _-]?key|access[ _-]?key)\b["'`]?\s*(?:is|was|are|=|:|->|of)?\s*["'`]?)([^\s"'`]{3,})/gi;

/** Letters and digits in turn, or hexadecimal digits throughout: no name that people give. */
function looksRandom(run: string): boolean {
  if (/^[0-9a-f]{24,}$/i.test(run) && /\d/.test(run)) return true;
  return (run.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0) >= 5;
}

/** A name or a path in backticks is what the question is about; anything else there is code. */
function ticked(span: string): string {
  const inner = span.slice(1, -1).trim();
  return /^[\w$@.:#/\\-]+(?:\(\))?$/.test(inner) ? inner : CODE;
}

/** Lines of what was shown, wherever they stand in the question, however they are indented and commented. */
function withoutShown(question: string, shownTexts: readonly string[]): string {
  let left = question;
  for (const text of shownTexts) {
    for (const written of text.split('\n')) {
      const trimmed = written.trim();
      // Hundreds of lines for each answer: most are told apart by their length alone.
      if (trimmed.length < SHOWN_CODE_MIN || trimmed.length > left.length + SHOWN_SPARE) continue;
      const line = /\s\s|[^\x20-\x7e]/.test(trimmed) ? oneLine(trimmed) : trimmed;
      if (left.includes(line) && isTelling(line)) left = left.replaceAll(line, CODE);
      if (!/^[/*#;"'-]|\*\/$/.test(line)) continue;
      const bare = line.replace(/^(?:\/\/+[/!]?|\/\*\*?|\*+\/?|#+|--+|;+|"""|''')\s*|\s*\*\/$/g, '');
      if (left.includes(bare) && isTelling(bare)) left = left.replaceAll(bare, CODE);
    }
  }
  return left;
}

/** A few words stand in a sentence by chance; a few words with the marks of code do not. */
function isTelling(line: string): boolean {
  return line.length >= SHOWN_LINE_MIN || (line.length >= SHOWN_CODE_MIN && /[^\w\s.?!'-]/.test(line));
}

/** Control characters have no place in a sentence, and PostgreSQL refuses some of them. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cs}\uFFFD]+/gu, ' ').trim();
}

function cut(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const at = text.lastIndexOf(' ', charactersMax);
  return `${text.slice(0, at > charactersMax / 2 ? at : charactersMax - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

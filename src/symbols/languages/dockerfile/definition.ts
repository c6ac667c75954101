import type { ScannedLanguage } from '../../extractor/language-definition.ts';
import { draftFacts, type FactsDraft, type SymbolDraft } from '../../scanning/facts-draft.ts';
import { endOfLine } from '../../scanning/tokens.ts';

export const dockerfile: ScannedLanguage = { version: 1, scan };

/** Instruction by instruction; one goes on behind a line that ends with a backslash, and holds whole texts behind `<<NAME`. */
function scan(text: string) {
  const draft = draftFacts(text);
  const names = new Set<string>();
  const stages = new Set<string>();
  const heredocs = { areClosed: true };
  let stage: SymbolDraft | null = null;
  for (let at = 0; at < text.length; ) {
    const line = endOfLine(text, at);
    const start = firstInk(text, at, line);
    if (start === line || text[start] === '#') {
      const isDirective = /^#\s*(?:syntax|escape|check)=/.test(text.slice(start, start + 30));
      if (start < line && !isDirective) draft.comments.push(start, line);
      at = line + 1;
      continue;
    }
    const end = instructionEnd(text, line, heredocs);
    const word = text.slice(start, start + 12).match(/^[A-Za-z]+/)?.[0] ?? '';
    const rest = firstInk(text, start + word.length, end);
    switch (word.toUpperCase()) {
      case 'FROM':
        if (stage) stage.end = start;
        stage = readStage(draft, start, rest, end, stages);
        break;
      case 'ARG':
      case 'ENV':
        readVariables(draft, start, rest, end, word.toUpperCase() === 'ENV', names);
        break;
      case 'COPY':
      case 'ADD':
      case 'RUN':
        readSources(draft, rest, end, stages);
        break;
    }
    readUses(draft, rest, end, names);
    at = end + 1;
  }
  if (stage) stage.end = text.trimEnd().length;
  return draft.finish();
}

function firstInk(text: string, from: number, until: number): number {
  let at = from;
  while (at < until && text.charCodeAt(at) <= 32) at++;
  return Math.min(at, until);
}

/** Where one text behind `<<NAME` is not closed no further one is looked for: all of them together are read once. */
function instructionEnd(text: string, firstEnd: number, heredocs: { areClosed: boolean }): number {
  let end = firstEnd;
  let lineStart = text.lastIndexOf('\n', firstEnd - 1) + 1;
  let isComment = false;
  while (
    end < text.length &&
    (isComment || /\\[ \t\r]*$/.test(text.slice(Math.max(lineStart, end - 20), end)))
  ) {
    lineStart = end + 1;
    end = endOfLine(text, lineStart);
    // Comments and empty lines may stand between.
    const ink = firstInk(text, lineStart, end);
    isComment = ink === end || text[ink] === '#';
  }
  const heredoc = text.slice(lineStart, Math.min(end, lineStart + 500)).match(/<<-?(["']?)([A-Za-z_]\w*)\1/);
  if (!heredoc || !heredocs.areClosed) return end;
  let at = end;
  while (at < text.length) {
    const next = endOfLine(text, at + 1);
    if (text.slice(at + 1, next).trim() === heredoc[2]) return next;
    at = next;
  }
  heredocs.areClosed = false;
  return end;
}

/** `FROM [--platform=…] image[:tag][@digest] [AS name]`; a stage's name in the place of an image is a use of it. */
function readStage(
  draft: FactsDraft,
  start: number,
  rest: number,
  end: number,
  stages: Set<string>,
): SymbolDraft | null {
  const found = draft.text
    .slice(rest, Math.min(end, rest + 1000))
    .match(/^((?:--\S+\s+)*)(\S+)(\s+as\s+)?(\S+)?/i);
  if (!found) return null;
  const [, flags = '', image = '', as, name = ''] = found;
  const imageAt = rest + flags.length;
  if (stages.has(image.toLowerCase()))
    draft.references.push({ name: image, kind: 'extends', start: imageAt });
  else if (image !== 'scratch') draft.imports.push({ module: image, at: imageAt, local: as ? name : '' });
  if (!as || name === '') return null;
  const nameStart = imageAt + image.length + as.length;
  stages.add(name.toLowerCase());
  return draft.symbol({
    name,
    kind: 'stage',
    nameStart,
    nameEnd: nameStart + name.length,
    start,
    end,
    bodyStart: end,
  });
}

/** `ENV A=1 B="2 3"`, `ENV A 1`, `ARG A`, `ARG A=1`. */
function readVariables(
  draft: FactsDraft,
  start: number,
  rest: number,
  end: number,
  isEnvironment: boolean,
  names: Set<string>,
): void {
  const { text } = draft;
  let at = rest;
  let first = true;
  while (at < end) {
    const name = text.slice(at, Math.min(end, at + 200)).match(/^[A-Za-z_]\w*/)?.[0];
    const hasValue = name !== undefined && text[at + name.length] === '=';
    if (name !== undefined && (hasValue || first || !isEnvironment)) {
      names.add(name);
      draft.symbol({
        name,
        kind: 'variable',
        nameStart: at,
        nameEnd: at + name.length,
        start: first ? start : at,
        end: hasValue ? wordEnd(text, at, end) : Math.min(endOfLine(text, at), end),
      });
      if (!hasValue && isEnvironment) return;
    }
    first = false;
    at = firstInk(text, wordEnd(text, at, end), end);
  }
}

/** The end of a word with what is quoted in it. */
function wordEnd(text: string, from: number, until: number): number {
  let quote = '';
  for (let at = from; at < until; at++) {
    const sign = text[at]!;
    if (sign === '\\') at++;
    else if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (/\s/.test(sign)) return at;
  }
  return until;
}

/** `--from=stage` and `--mount=type=bind,from=stage`: another stage, or an image. */
function readSources(draft: FactsDraft, rest: number, end: number, stages: ReadonlySet<string>): void {
  const flags = draft.text.slice(rest, Math.min(end, rest + 4000));
  for (const found of flags.matchAll(/(?:^|\s)--(?:from|mount)=(\S+)/g)) {
    const value = found[0].includes('--from=') ? `from=${found[1]}` : found[1]!;
    const from = value.match(/(?:^|,)from=([^,\s]+)/)?.[1];
    if (from === undefined || /^\d+$/.test(from)) continue;
    const start = rest + found.index + found[0].lastIndexOf(from);
    if (stages.has(from.toLowerCase())) draft.references.push({ name: from, kind: 'use', start });
    else draft.imports.push({ module: from, at: start });
  }
}

/** `$NAME` and `${NAME:-…}` of what the file sets. */
function readUses(draft: FactsDraft, rest: number, end: number, names: ReadonlySet<string>): void {
  const { text } = draft;
  for (let at = text.indexOf('$', rest); at >= 0 && at < end; at = text.indexOf('$', at + 1)) {
    const start = text[at + 1] === '{' ? at + 2 : at + 1;
    const name = text.slice(start, start + 100).match(/^[A-Za-z_]\w*/)?.[0];
    if (name !== undefined && names.has(name) && text[at - 1] !== '\\') {
      draft.references.push({ name, kind: 'use', start });
    }
  }
}

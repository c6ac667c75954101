import type { ScannedLanguage } from '../../extractor/language-definition.ts';
import { dataBound, draftFacts, type FactsDraft, type SymbolDraft } from '../../scanning/facts-draft.ts';
import { endOfLine } from '../../scanning/tokens.ts';
import { flowEnd, LOOKED_AT_IN_VAIN_MAX, type LookAhead, quotedValueEnd } from './values.ts';

export const yaml: ScannedLanguage = { version: 1, scan, longLines: true };

const DEPTH_MAX = 3;
const HEAD_UNITS_MAX = 400;
const KEY =
  /^(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\n]|'')*)'|([^\s#&*!|>%@`"'[\]{},?-][^\n]*?|-[^\s][^\n]*?))[ \t]*:(?=[ \t\r\n]|$)/;

interface OpenKey {
  indent: number;
  /** 0 for what is not told: items of lists, and their keys. */
  depth: number;
  name: string;
  symbol: SymbolDraft | null;
}

/** What a document of Kubernetes says of itself. */
interface Resource {
  symbol: SymbolDraft | null;
  kind: string | null;
  hasVersion: boolean;
}

/** Line by line, by indentation. Keys are told to a small depth and outside lists, anchors and aliases everywhere. */
function scan(text: string) {
  const draft = draftFacts(text, { symbolsMax: dataBound(text) });
  let open: OpenKey[] = [];
  let resource: Resource = { symbol: null, kind: null, hasVersion: false };
  const lastEnd = { at: 0 };
  const ahead: LookAhead = { lines: LOOKED_AT_IN_VAIN_MAX };
  const closeFrom = (indent: number) => {
    while (open.length > 0 && open[open.length - 1]!.indent >= indent) {
      const { symbol } = open.pop()!;
      if (symbol) symbol.end = Math.max(symbol.end, lastEnd.at);
    }
  };
  let documentStart = 0;
  const endDocument = (next: number) => {
    closeFrom(-1);
    if (resource.symbol) {
      resource.symbol.start = documentStart;
      resource.symbol.end = Math.max(lastEnd.at, documentStart);
      resource.symbol.type = resource.kind;
      if (resource.kind !== null && resource.hasVersion) draft.symbol(resource.symbol);
    }
    resource = { symbol: null, kind: null, hasVersion: false };
    documentStart = next;
    open = [];
  };

  for (let at = 0; at < text.length; ) {
    const lineStart = at;
    let line = endOfLine(text, lineStart);
    at = line + 1;
    let start = lineStart;
    while (text[start] === ' ') start++;
    if (start >= line || text[start] === '\r') continue;
    if (text[start] === '#') {
      draft.comments.push(start, line);
      continue;
    }
    if (start === lineStart && /^(?:---|\.\.\.)(?:\s|$)/.test(text.slice(start, start + 4))) {
      endDocument(at);
      start += 3;
      while (text[start] === ' ') start++;
      if (start >= line) continue;
    }
    if (start === lineStart && text[start] === '%') continue;
    while (text[start] === '-' && /[\s]/.test(text[start + 1] ?? '\n')) {
      // The items of a list may stand below the very beginning of its key.
      const indent = start - lineStart + 0.5;
      closeFrom(indent);
      open.push({ indent, depth: 0, name: '', symbol: null });
      start++;
      while (text[start] === ' ') start++;
      if (start >= line) break;
      start = readMarks(draft, start, line);
    }
    if (start >= line || text[start] === '\r') {
      lastEnd.at = Math.min(line, start);
      continue;
    }
    const indent = start - lineStart;
    closeFrom(indent);
    const found = text.slice(start, Math.min(line, start + HEAD_UNITS_MAX)).match(KEY);
    let value = start;
    if (found) {
      const name = found[1] ?? found[2] ?? found[3]!.trimEnd();
      const parent = open[open.length - 1];
      const depth = depthWithin(parent);
      const quotes = found[3] === undefined ? 1 : 0;
      let symbol: SymbolDraft | null = null;
      if (depth > 0) {
        symbol = draft.symbol({
          name,
          kind: 'key',
          nameStart: start + quotes,
          nameEnd: start + quotes + name.length,
          start,
          end: line,
        });
      }
      open.push({ indent, depth, name, symbol });
      value = start + found[0].length;
      while (text[value] === ' ' || text[value] === '\t') value++;
      noteResource(resource, draft, open, name, value, line);
      readSpecial(draft, name, value, line);
    }
    value = readMarks(draft, value, line);
    const end = valueEnd(text, value, line, found ? indent : indent - 1, ahead);
    if (end > line) {
      line = end;
      at = endOfLine(text, end) + 1;
    }
    lastEnd.at = trimmedEnd(text, start, line);
    const key = open[open.length - 1];
    if (found && key?.symbol) key.symbol.end = lastEnd.at;
  }
  endDocument(text.length);
  return draft.finish();
}

function depthWithin(parent: OpenKey | undefined): number {
  if (parent === undefined) return 1;
  return parent.depth === 0 || parent.depth >= DEPTH_MAX ? 0 : parent.depth + 1;
}

/** Anchors and aliases, and what follows them: `&base`, `*base`, `!tag`. */
function readMarks(draft: FactsDraft, from: number, line: number): number {
  const { text } = draft;
  let at = from;
  while (at < line && (text[at] === '&' || text[at] === '*' || text[at] === '!')) {
    let end = at + 1;
    while (end < line && !/[\s,[\]{}]/.test(text[end]!)) end++;
    const name = text.slice(at + 1, end);
    if (text[at] === '&' && name !== '') {
      draft.symbol({ name, kind: 'anchor', nameStart: at + 1, nameEnd: end, start: at, end });
    } else if (text[at] === '*' && name !== '') {
      draft.references.push({ name, kind: 'use', start: at + 1 });
    }
    at = end;
    while (at < line && (text[at] === ' ' || text[at] === '\t')) at++;
  }
  return at;
}

/** `kind` and `metadata.name` of a document with an `apiVersion` name a resource. */
function noteResource(
  resource: Resource,
  draft: FactsDraft,
  open: readonly OpenKey[],
  name: string,
  value: number,
  line: number,
): void {
  const depth = open.length;
  if (depth === 1 && name === 'apiVersion') resource.hasVersion = true;
  else if (depth === 1 && name === 'kind') resource.kind ??= plainValue(draft.text, value, line);
  else if (depth === 2 && name === 'name' && open[0]!.name === 'metadata' && !resource.symbol) {
    const written = plainValue(draft.text, value, line);
    if (written === null) return;
    const nameStart = draft.text.indexOf(written, value);
    resource.symbol = {
      name: written,
      kind: 'resource',
      nameStart,
      nameEnd: nameStart + written.length,
      start: nameStart,
      end: nameStart + written.length,
    };
  }
}

/** `uses: actions/checkout@v4`, `$ref: '#/components/schemas/User'`, `$ref: other.yaml#/User`. */
function readSpecial(draft: FactsDraft, key: string, value: number, line: number): void {
  if (key !== 'uses' && key !== '$ref') return;
  const written = plainValue(draft.text, value, line);
  if (written === null) return;
  const at = draft.text.indexOf(written, value);
  const hash = key === '$ref' ? written.indexOf('#') : -1;
  const module = hash < 0 ? written : written.slice(0, hash);
  if (module !== '' && (key === '$ref' || module.includes('/'))) {
    draft.imports.push({ module, at, relative: key === '$ref' || module.startsWith('.') });
  }
  const name = hash < 0 ? '' : written.slice(written.lastIndexOf('/') + 1);
  if (name !== '') draft.references.push({ name, kind: 'type', start: at + written.length - name.length });
}

/** A short value without quotes and comment, null where there is none. */
function plainValue(text: string, from: number, line: number): string | null {
  const written = text.slice(from, Math.min(line, from + HEAD_UNITS_MAX));
  const found = written.match(/^(?:"([^"\\]*)"|'([^']*)'|([^\s"'|>&*![{#][^\n]*?))[ \t\r]*(?:[ \t]#.*)?$/);
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? null;
}

/** Behind a value that goes on over further lines: a block text, a quoted string, brackets. */
function valueEnd(text: string, value: number, line: number, indent: number, ahead: LookAhead): number {
  const sign = text[value];
  if (sign === '|' || sign === '>') {
    if (!/^[|>][-+\d]*[ \t\r]*(?:#|$)/.test(text.slice(value, Math.min(line, value + 100)))) return line;
    return blockEnd(text, line, indent);
  }
  if (sign === '"' || sign === "'") return quotedValueEnd(text, value, line, ahead);
  if (sign === '[' || sign === '{') return flowEnd(text, value, line, ahead);
  return line;
}

/** A block text goes on while lines are empty or stand further in than its key. */
function blockEnd(text: string, line: number, indent: number): number {
  let end = line;
  for (let at = line + 1; at < text.length; ) {
    const next = endOfLine(text, at);
    let ink = at;
    while (text[ink] === ' ') ink++;
    const isEmpty = ink >= next || text[ink] === '\r';
    if (!isEmpty && ink - at <= indent) break;
    if (!isEmpty) end = next;
    at = next + 1;
  }
  return end;
}

function trimmedEnd(text: string, from: number, end: number): number {
  let at = end;
  while (at > from && /\s/.test(text[at - 1]!)) at--;
  return at;
}

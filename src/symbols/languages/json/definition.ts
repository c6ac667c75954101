import type { ScannedLanguage } from '../../extractor/language-definition.ts';
import { dataBound, draftFacts, type FactsDraft, type SymbolDraft } from '../../scanning/facts-draft.ts';
import { endOfLine } from '../../scanning/tokens.ts';

export const json: ScannedLanguage = { version: 1, scan, longLines: true };

const DEPTH_MAX = 2;
/** Objects whose members are told one level deeper: `components.schemas.User` of OpenAPI. */
const deeper: ReadonlySet<string> = new Set(['components']);
const KEY_UNITS_MAX = 200;

interface OpenBracket {
  isObject: boolean;
  /** Depth of the keys in it, 0 where they are not told: in lists. */
  depth: number;
  key: string;
}

/** Keys of objects to a small depth, and where `$ref` and `extends` lead. Comments, single quotes and bare keys are allowed. */
function scan(text: string) {
  const draft = draftFacts(text, { symbolsMax: dataBound(text) });
  const open: OpenBracket[] = [];
  /** Keys whose value goes on. */
  const keys: SymbolDraft[] = [];
  let lastKey = '';
  let documents = 0;
  let at = 0;
  /** Where the last value, key or bracket ended. */
  let ended = 0;
  while (at < text.length) {
    const sign = text[at]!;
    const bracket = open[open.length - 1];
    if (sign === '{' || sign === '[') {
      // Of a file of one object for each line the first tells what all look like.
      if (bracket === undefined && ++documents > 1) break;
      open.push({ isObject: sign === '{', depth: depthWithin(bracket, lastKey), key: lastKey });
      lastKey = '';
      at++;
    } else if (sign === '}' || sign === ']') {
      open.pop();
      closeKeys(keys, open.length, ended);
      at++;
    } else if (sign === ',') {
      closeKeys(keys, open.length - 1, ended);
      at++;
    } else if (sign === '"' || sign === "'") {
      const end = quotedEnd(text, at);
      const colon = bracket?.isObject ? colonBehind(text, end) : -1;
      if (colon >= 0) {
        lastKey = text.slice(at + 1, Math.min(end - 1, at + KEY_UNITS_MAX));
        addKey(draft, keys, bracket!, lastKey, at, end, open.length - 1);
        at = colon + 1;
      } else {
        readValue(draft, lastKey, open.length, at, end);
        at = end;
      }
    } else if (sign === '/' && (text[at + 1] === '/' || text[at + 1] === '*')) {
      const close = text[at + 1] === '/' ? endOfLine(text, at) : text.indexOf('*/', at) + 2;
      const end = close < at + 2 ? text.length : close;
      draft.comments.push(at, end);
      at = end;
    } else if (bracket?.isObject && /[A-Za-z_$]/.test(sign)) {
      let end = at + 1;
      while (end < text.length && /[\w$]/.test(text[end]!)) end++;
      const colon = colonBehind(text, end);
      if (colon >= 0) {
        lastKey = text.slice(at, Math.min(end, at + KEY_UNITS_MAX));
        addKey(draft, keys, bracket, lastKey, at, end, open.length - 1);
      }
      at = colon >= 0 ? colon + 1 : end;
    } else at++;
    if (sign > ' ' && sign !== '/') ended = at;
  }
  closeKeys(keys, -1, ended);
  return draft.finish();
}

function depthWithin(bracket: OpenBracket | undefined, key: string): number {
  if (bracket === undefined) return 1;
  if (!bracket.isObject || bracket.depth === 0) return 0;
  const limit = deeper.has(bracket.key) && bracket.depth === DEPTH_MAX ? DEPTH_MAX + 1 : DEPTH_MAX;
  return bracket.depth < limit && key !== '' ? bracket.depth + 1 : 0;
}

function addKey(
  draft: FactsDraft,
  keys: SymbolDraft[],
  { depth }: OpenBracket,
  name: string,
  start: number,
  end: number,
  level: number,
): void {
  if (depth === 0 || draft.isFull) return;
  const quotes = draft.text[start] === '"' || draft.text[start] === "'" ? 1 : 0;
  const key = draft.symbol({
    name,
    kind: 'key',
    nameStart: start + quotes,
    nameEnd: end - quotes,
    start,
    end,
  });
  keys[level] = key;
}

/** What stands at this level or deeper ends here. */
function closeKeys(keys: SymbolDraft[], level: number, end: number): void {
  while (keys.length > Math.max(0, level)) {
    const key = keys.pop();
    if (key) key.end = Math.max(key.end, end);
  }
}

/** `"$ref": "#/definitions/User"`, `"$ref": "user.json#/User"`, `"extends": "./base.json"`. */
function readValue(draft: FactsDraft, key: string, depth: number, start: number, end: number): void {
  if (key !== '$ref' && !(key === 'extends' && depth === 1)) return;
  const value = draft.text.slice(start + 1, end - 1);
  const hash = key === '$ref' ? value.indexOf('#') : -1;
  const module = hash < 0 ? value : value.slice(0, hash);
  if (module !== '' && draft.imports.length < 500) {
    draft.imports.push({ module, at: start, relative: key === '$ref' || module.startsWith('.') });
  }
  const name = hash < 0 ? '' : value.slice(value.lastIndexOf('/') + 1);
  if (name !== '') draft.references.push({ name, kind: 'type', start: end - 1 - name.length });
}

/** Behind the closing quote; a string that is not closed ends with its line. */
function quotedEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === text[start]) return at + 1;
    if (text[at] === '\n') return at;
    if (text[at] === '\\') at++;
  }
  return text.length;
}

function colonBehind(text: string, end: number): number {
  let at = end;
  while (at < text.length && text.charCodeAt(at) <= 32) at++;
  return text[at] === ':' ? at : -1;
}

import type { ScannedLanguage } from '../../extractor/language-definition.ts';
import { draftFacts, type FactsDraft } from '../../scanning/facts-draft.ts';

export const css: ScannedLanguage = { version: 1, scan };

const SYMBOLS_MAX = 2000;

/** Classes and ids of each rule's selectors, properties of our own, and what is imported. */
function scan(text: string) {
  const draft = draftFacts(text, { symbolsMax: SYMBOLS_MAX });
  /** Selectors told of each open rule: they end with it. */
  const open: { symbols: number; from: number }[] = [];
  /** Where the selector or declaration begins that we are in. */
  let begin = 0;
  let parens = 0;
  let at = 0;
  while (at < text.length) {
    const sign = text[at]!;
    if (sign === '/' && text[at + 1] === '*') {
      const close = text.indexOf('*/', at + 2);
      const end = close < 0 ? text.length : close + 2;
      draft.comments.push(at, end);
      if (text.slice(begin, at).trim() === '') begin = end;
      at = end;
    } else if (sign === '"' || sign === "'") at = stringEnd(text, at);
    else if (sign === '\\') at += 2;
    else if (sign === '(') {
      parens++;
      // `url(data:…;…)` holds signs of ours without quotes.
      const isUrl = /url$/i.test(text.slice(Math.max(0, at - 3), at)) && /[^"'\s]/.test(text[at + 1] ?? '');
      const close = isUrl ? text.indexOf(')', at) : -1;
      at = close < 0 ? at + 1 : close;
    } else if (sign === ')') {
      parens = Math.max(0, parens - 1);
      at++;
    } else if (sign === '{') {
      const from = draft.symbols.length;
      readPrelude(draft, begin, at);
      open.push({ from, symbols: draft.symbols.length });
      parens = 0;
      begin = ++at;
    } else if (sign === '}' || (sign === ';' && parens === 0)) {
      readDeclaration(draft, begin, at);
      at++;
      begin = at;
      if (sign === ';') continue;
      parens = 0;
      const rule = open.pop();
      for (let i = rule?.from ?? 0; i < (rule?.symbols ?? 0); i++) draft.symbols[i]!.end = at;
    } else at++;
  }
  return draft.finish();
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === text[start] || text[at] === '\n') return at + 1;
    if (text[at] === '\\') at++;
  }
  return text.length;
}

/** `.card > #main:hover` and, of an at-rule, nothing but `@property --size`. */
function readPrelude(draft: FactsDraft, begin: number, end: number): void {
  const { text } = draft;
  let start = begin;
  while (start < end && /\s/.test(text[start]!)) start++;
  if (text[start] === '@') {
    const property = text.slice(start, Math.min(end, start + 200)).match(/^(@property\s+)(--[\w-]+)/);
    if (property) addSymbol(draft, property[2]!, 'variable', start + property[1]!.length, start, end);
    return;
  }
  const seen = new Set<string>();
  let brackets = 0;
  for (let at = start; at < end; at++) {
    const sign = text[at]!;
    if (sign === '[') brackets++;
    else if (sign === ']') brackets--;
    else if (sign === '\\') at++;
    else if (sign === '/' && text[at + 1] === '*') at = Math.max(at, text.indexOf('*/', at) + 1);
    else if ((sign === '.' || sign === '#') && brackets <= 0 && isNameStart(text[at + 1])) {
      let until = at + 1;
      while (until < end && isNamePart(text, until)) until += text[until] === '\\' ? 2 : 1;
      const name = text.slice(at + 1, until);
      if (!seen.has(sign + name)) addSymbol(draft, name, 'selector', at + 1, start, end);
      seen.add(sign + name);
      at = until - 1;
    }
  }
}

function addSymbol(
  draft: FactsDraft,
  written: string,
  kind: 'selector' | 'variable',
  at: number,
  start: number,
  bodyStart: number,
): void {
  draft.symbol({
    name: written.replaceAll('\\', ''),
    kind,
    nameStart: at,
    nameEnd: at + written.length,
    start,
    end: bodyStart,
    bodyStart,
  });
}

function isNameStart(sign: string | undefined): boolean {
  return sign !== undefined && (/[A-Za-z_\\-]/.test(sign) || sign > '\x7f');
}

function isNamePart(text: string, at: number): boolean {
  return /[\w\\-]/.test(text[at]!) || text[at]! > '\x7f';
}

/** `--size: 1px`, `width: var(--size)`, `@import url(x.css)`, `composes: a from "./b.css"`. */
function readDeclaration(draft: FactsDraft, begin: number, end: number): void {
  const { text } = draft;
  let start = begin;
  while (start < end && /\s/.test(text[start]!)) start++;
  if (text[start] === '-' && text[start + 1] === '-') {
    let until = start;
    while (until < end && isNamePart(text, until)) until++;
    if (/^\s*:/.test(text.slice(until, Math.min(end, until + 20)))) {
      draft.symbol({
        name: text.slice(start, until),
        kind: 'variable',
        nameStart: start,
        nameEnd: until,
        start,
        end,
      });
    }
  }
  if (draft.references.length < SYMBOLS_MAX) {
    for (const used of text.slice(start, end).matchAll(/var\(\s*(--[\w-]+)/g)) {
      const at = start + used.index + used[0].indexOf('-');
      draft.references.push({ name: used[1]!, kind: 'use', start: at });
    }
  }
  const head = text.slice(start, Math.min(end, start + 500));
  const imported =
    head.match(/^@(?:import|use|forward)\s+(?:url\(\s*)?["']?([^"')\s;]+)/i) ??
    head.match(/^composes\s*:[^;]*\sfrom\s+["']([^"']+)["']/i);
  if (!imported) return;
  const module = imported[1]!;
  draft.imports.push({
    module,
    at: start + imported[0].lastIndexOf(module),
    relative: !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(module),
  });
}

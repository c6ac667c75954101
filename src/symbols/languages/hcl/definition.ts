import type { SymbolKind } from '../../../search/index.ts';
import type { ScannedLanguage } from '../../extractor/language-definition.ts';
import { draftFacts, type FactsDraft, type SymbolDraft } from '../../scanning/facts-draft.ts';
import { SIGN, STRING, type Tokens, WORD } from '../../scanning/token-list.ts';
import { tokenizeHcl } from './hcl-tokens.ts';

export const hcl: ScannedLanguage = { version: 1, scan };

/** Blocks that name something by their last label. */
const blockKinds: ReadonlyMap<string, SymbolKind> = new Map([
  ['resource', 'resource'],
  ['data', 'resource'],
  ['ephemeral', 'resource'],
  ['variable', 'variable'],
  ['output', 'property'],
  ['module', 'module'],
  ['provider', 'package'],
]);
/** Roots of references that are neither resources nor names of ours. */
const notOurs: ReadonlySet<string> = new Set('each count self path terraform'.split(' '));

/**
 * Terraform's addresses are the names: a resource is `aws_vpc.main`, wherever it is named, since resources of all types are called
 * `this`; what is reached through `var.`, `local.`, `module.` has that as its receiver.
 */
function scan(text: string) {
  const draft = draftFacts(text);
  const tokens = tokenizeHcl(text, draft.comments);
  /** What each open bracket is: a block of its own, or null. */
  const open: ({ word: string; symbol: SymbolDraft | null } | null)[] = [];
  let at = 0;
  while (at < tokens.count) {
    const inBlock = open.length === 0 || open[open.length - 1] !== null;
    if (tokens.kind[at] === WORD && inBlock && startsLine(tokens, at)) {
      const brace = blockBrace(tokens, at);
      if (brace >= 0) {
        const word = tokens.of(at);
        open.push({ word, symbol: open.length === 0 ? blockSymbol(tokens, at, brace, draft) : null });
        at = brace + 1;
        continue;
      }
      if (tokens.is(at + 1, '=') && !tokens.is(at + 2, '=')) {
        readAttribute(tokens, at, open, draft);
        at += 2;
        continue;
      }
    }
    if (tokens.kind[at] === SIGN) {
      const sign = tokens.of(at);
      if (/[{[(]/.test(sign)) open.push(null);
      else if (/[}\])]/.test(sign)) {
        const symbol = open.pop()?.symbol;
        if (symbol) symbol.end = tokens.end[at]!;
      }
    }
    at = tokens.kind[at] === WORD ? readReference(tokens, at, draft) : at + 1;
  }
  for (const unclosed of open) if (unclosed?.symbol) unclosed.symbol.end = text.length;
  return draft.finish();
}

function startsLine(tokens: Tokens, at: number): boolean {
  if (at === 0 || tokens.is(at - 1, '{')) return true;
  return tokens.text.slice(tokens.end[at - 1]!, tokens.start[at]!).includes('\n');
}

const LABELS_MAX = 10;

/** The `{` behind a block's word and labels, -1 where it is none. */
function blockBrace(tokens: Tokens, first: number): number {
  let at = first + 1;
  while (
    at < first + LABELS_MAX &&
    !startsLine(tokens, at) &&
    (tokens.kind[at] === STRING || tokens.kind[at] === WORD)
  ) {
    at++;
  }
  return tokens.is(at, '{') ? at : -1;
}

function blockSymbol(tokens: Tokens, first: number, brace: number, draft: FactsDraft): SymbolDraft | null {
  const kind = blockKinds.get(tokens.of(first));
  if (kind === undefined || brace === first + 1) return null;
  const isResource = kind === 'resource' && brace > first + 2;
  const nameAt = isResource ? first + 1 : brace - 1;
  const labels = [];
  for (let token = nameAt; token < brace; token++) labels.push(unquoted(tokens.of(token)));
  const quoted = tokens.kind[brace - 1] === STRING ? 1 : 0;
  return draft.symbol({
    name: labels.join('.'),
    kind,
    nameStart: tokens.start[nameAt]! + (tokens.kind[nameAt] === STRING ? 1 : 0),
    nameEnd: tokens.end[brace - 1]! - quoted,
    start: tokens.start[first]!,
    end: tokens.end[brace]!,
    bodyStart: tokens.start[brace]!,
    type: isResource ? labels[0]! : null,
  });
}

/** Attributes are uses of nothing; those of `locals` are names, `source` of a module is an import, `type` of a variable is its type. */
function readAttribute(
  tokens: Tokens,
  at: number,
  open: readonly ({ word: string; symbol: SymbolDraft | null } | null)[],
  draft: FactsDraft,
): void {
  const block = open[open.length - 1];
  const name = tokens.of(at);
  const isTop = open.length === 1;
  if (isTop && block?.word === 'locals') {
    draft.symbol({
      name,
      kind: 'constant',
      nameStart: tokens.start[at]!,
      nameEnd: tokens.end[at]!,
      start: tokens.start[at]!,
      end: tokens.end[attributeEnd(tokens, at)]!,
    });
  } else if (open.length === 0) {
    // A file of values sets variables that are declared elsewhere.
    draft.references.push({ name, kind: 'use', start: tokens.start[at]!, receiver: 'var' });
  } else if (isTop && block?.word === 'module' && name === 'source' && tokens.kind[at + 2] === STRING) {
    const module = unquoted(tokens.of(at + 2));
    draft.imports.push({
      module,
      at: tokens.start[at + 2]!,
      local: block.symbol?.name ?? '',
      relative: module.startsWith('.'),
    });
  } else if (isTop && block?.word === 'variable' && name === 'type' && block.symbol) {
    block.symbol.type = tokens.kind[at + 2] === WORD ? tokens.of(at + 2) : null;
  }
}

/** Its last token: of its line, or of the line on which its brackets are closed. */
function attributeEnd(tokens: Tokens, first: number): number {
  let depth = 0;
  let at = first;
  for (; at < tokens.count; at++) {
    if (at > first + 2 && depth === 0 && startsLine(tokens, at)) break;
    if (tokens.kind[at] !== SIGN) continue;
    if (/[{[(]/.test(tokens.of(at))) depth++;
    else if (/[}\])]/.test(tokens.of(at)) && --depth < 0) break;
  }
  return Math.max(first, at - 1);
}

/** `var.region`, `module.vpc.id`, `data.aws_ami.ubuntu.id`, `aws_vpc.main[0].id`. Gives the token behind it. */
function readReference(tokens: Tokens, first: number, draft: FactsDraft): number {
  if (tokens.is(first + 1, '(') && !tokens.is(first - 1, '.')) return first + 1;
  const parts = [first];
  let at = first;
  while (tokens.is(at + 1, '.') && tokens.kind[at + 2] === WORD) {
    at += 2;
    parts.push(at);
  }
  const root = tokens.of(first);
  if (parts.length === 1 || notOurs.has(root)) return at + 1;
  if (root === 'var' || root === 'local' || root === 'module') {
    const name = tokens.of(parts[1]!);
    draft.references.push({ name, kind: 'use', start: tokens.start[parts[1]!]!, receiver: root });
    if (root === 'module' && parts.length > 2) {
      const output = tokens.of(parts[2]!);
      draft.references.push({
        name: output,
        kind: 'member',
        start: tokens.start[parts[2]!]!,
        receiver: `module.${name}`,
      });
    }
    return at + 1;
  }
  const type = root === 'data' || root === 'ephemeral' ? 1 : 0;
  if (parts.length < type + 2 || !/^[a-z][a-z0-9]*_/.test(tokens.of(parts[type]!))) return at + 1;
  draft.references.push({
    name: `${tokens.of(parts[type]!)}.${tokens.of(parts[type + 1]!)}`,
    kind: 'use',
    start: tokens.start[parts[type]!]!,
    receiver: type === 1 ? root : null,
  });
  return at + 1;
}

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/s, '$1');
}

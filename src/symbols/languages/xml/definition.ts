import type { FileFacts } from '../../../search/index.ts';
import type { ScannedLanguage } from '../../extractor/language-definition.ts';
import { dataBound, draftFacts, type SymbolDraft } from '../../scanning/facts-draft.ts';
import { attributeOf, readTags, type Tag } from '../../scanning/tags.ts';
import { readPlainElement } from './plain-elements.ts';
import { readSchemaElement } from './schema-elements.ts';
import { readStylesheetElement } from './stylesheet-elements.ts';

export const xml: ScannedLanguage = { version: 1, scan, longLines: true };

/** An element without its prefix, where it stands. */
export interface XmlElement {
  tag: Tag;
  /** `complexType` of `xs:complexType`. */
  name: string;
  prefix: string;
  /** Name of the element around it. */
  around: string;
  /** 0 for the root. */
  depth: number;
}

const vocabularies: readonly { address: string; read: typeof readPlainElement }[] = [
  { address: 'http://www.w3.org/2001/XMLSchema', read: readSchemaElement },
  { address: 'http://www.w3.org/1999/XSL/Transform', read: readStylesheetElement },
];

/** Element by element. A schema (also within WSDL) and a stylesheet define by their own vocabulary, anything else by ids and names. */
function scan(text: string): FileFacts {
  const draft = draftFacts(text, { symbolsMax: dataBound(text) });
  const prefixes = new Map<string, typeof readPlainElement>();
  const open: { name: string; symbol: SymbolDraft | null }[] = [];
  readTags(text, { comments: draft.comments }, (tag) => {
    if (tag.closes) {
      closeElement(open, tag);
      return true;
    }
    const colon = tag.name.indexOf(':');
    const prefix = colon < 0 ? '' : tag.name.slice(0, colon);
    for (const { name, value } of tag.attributes) {
      if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
      const vocabulary = vocabularies.find(({ address }) => address === value);
      if (vocabulary) prefixes.set(name.slice('xmlns:'.length), vocabulary.read);
    }
    const element = {
      tag,
      name: tag.name.slice(colon + 1),
      prefix,
      depth: open.length,
      around: open[open.length - 1]?.name ?? '',
    };
    if (open.length === 0) draft.namespace ??= attributeOf(tag, 'targetNamespace')?.value ?? null;
    const read = prefixes.get(prefix) ?? readPlainElement;
    const symbol = read(draft, element);
    if (symbol) draft.symbol(symbol);
    if (!tag.empty) open.push({ name: tag.name, symbol });
    return !draft.isFull;
  });
  for (const { symbol } of open) if (symbol) symbol.end = text.trimEnd().length;
  return draft.finish();
}

/** What was not closed in between ends here, too; a closing tag without an opening one closes nothing. */
function closeElement(open: { name: string; symbol: SymbolDraft | null }[], tag: Tag): void {
  const opened = open[open.length - 1]?.name === tag.name ? open.length - 1 : lastOpen(open, tag.name);
  if (opened < 0) return;
  while (open.length > opened) {
    const { symbol } = open.pop()!;
    if (symbol) symbol.end = tag.end;
  }
}

const LOOKED_AT = 50;

function lastOpen(open: readonly { name: string }[], name: string): number {
  for (let i = open.length - 1; i >= Math.max(0, open.length - LOOKED_AT); i--) {
    if (open[i]!.name === name) return i;
  }
  return -1;
}

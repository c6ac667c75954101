import type { ScannedLanguage } from '../../extractor/language-definition.ts';
import { dataBound, draftFacts, type FactsDraft } from '../../scanning/facts-draft.ts';
import { attributeOf, readTags, type Tag } from '../../scanning/tags.ts';

export const html: ScannedLanguage = { version: 1, scan };

const rawText: ReadonlySet<string> = new Set(['script', 'style', 'textarea']);
const HEADING_UNITS_MAX = 300;
const LINK_RELATIONS = /\b(?:stylesheet|modulepreload|import|manifest)\b/i;
/** Values that are filled in when the page is made. */
const TEMPLATE = /\{\{|\{%|<%|\$\{|\{[A-Za-z#/@]/;

/** Places that can be linked to, headings, custom elements, and which scripts and sheets are loaded. */
function scan(text: string) {
  const draft = draftFacts(text, { symbolsMax: dataBound(text) });
  readTags(text, { rawText, lowerCase: true, comments: draft.comments }, (tag) => {
    if (!tag.closes) readElement(draft, tag);
    return !draft.isFull;
  });
  return draft.finish();
}

function readElement(draft: FactsDraft, tag: Tag): void {
  const name = tag.name.toLowerCase();
  const id = attributeOf(tag, 'id') ?? (name === 'a' ? attributeOf(tag, 'name') : null);
  if (id && !TEMPLATE.test(id.value) && !/\s/.test(id.value)) {
    draft.symbol({
      name: id.value,
      kind: 'anchor',
      nameStart: id.start,
      nameEnd: id.start + id.value.length,
      start: tag.start,
      end: tag.end,
    });
  }
  if (/^h[1-6]$/.test(name)) addHeading(draft, tag, name);
  if (name.includes('-')) draft.references.push({ name: tag.name, kind: 'call', start: tag.start + 1 });
  for (const attribute of tag.attributes) {
    const target =
      attribute.name === 'href' && attribute.value.startsWith('#') ? attribute.value.slice(1) : '';
    const labelled = attribute.name === 'for' ? attribute.value : '';
    const used = target || labelled;
    if (used === '' || TEMPLATE.test(used)) continue;
    draft.references.push({ name: used, kind: 'use', start: attribute.start + (target ? 1 : 0) });
  }
  const source = sourceOf(tag, name);
  if (source && !TEMPLATE.test(source.value)) {
    const module = source.value.trim();
    draft.imports.push({ module, at: source.start, relative: !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(module) });
  }
}

function sourceOf(tag: Tag, name: string) {
  if (name === 'script' || name === 'iframe') return attributeOf(tag, 'src');
  const relation = name === 'link' ? attributeOf(tag, 'rel') : null;
  return relation && LINK_RELATIONS.test(relation.value) ? attributeOf(tag, 'href') : null;
}

function addHeading(draft: FactsDraft, tag: Tag, name: string): void {
  const within = draft.text.slice(tag.end, tag.end + HEADING_UNITS_MAX * 3);
  const close = within.toLowerCase().indexOf(`</${name}`);
  if (close < 0) return;
  const written = within.slice(0, close);
  const heading = written
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (heading.length > HEADING_UNITS_MAX || TEMPLATE.test(heading)) return;
  const leading = written.length - written.trimStart().length;
  draft.symbol({
    name: heading,
    kind: 'heading',
    nameStart: tag.end + leading,
    nameEnd: tag.end + written.trimEnd().length,
    start: tag.start,
    end: tag.end + close + name.length + 3,
  });
}

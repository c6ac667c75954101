import type { FactsDraft, SymbolDraft } from '../../scanning/facts-draft.ts';
import { attributeOf, type TagAttribute } from '../../scanning/tags.ts';
import type { XmlElement } from './definition.ts';

const CLASS_NAME = /^(?:[a-z_]\w*\.)+[A-Z]\w*(?:\$\w+)?$/;
const naming = ['id', 'xml:id', 'x:Name', 'x:Key', 'name', 'Name'];
const including: ReadonlySet<string> = new Set(['import', 'include', 'override', 'redefine']);

/** The root; elements that an attribute names; classes that are named (`class="com.acme.Shop"`); files that are included. */
export function readPlainElement(draft: FactsDraft, element: XmlElement): SymbolDraft | null {
  const { tag, depth, around } = element;
  if (including.has(element.name.toLowerCase())) readInclude(draft, element);
  for (const { value, start } of tag.attributes) {
    if (!CLASS_NAME.test(value)) continue;
    const dot = value.lastIndexOf('.');
    const receiver = value.slice(0, dot);
    draft.references.push({
      name: value.slice(dot + 1),
      kind: 'type',
      start: start + dot + 1,
      receiver: receiver.length > 80 ? null : receiver,
    });
  }
  if (depth === 0) return elementSymbol(element, null, 'element');
  // Maven's and MSBuild's own names: `<properties><java.version>`, `<PropertyGroup><LangVersion>`.
  if (depth === 2 && /^(?:properties|PropertyGroup)$/.test(around))
    return elementSymbol(element, null, 'key');
  const name = naming.map((one) => attributeOf(tag, one)).find((one) => one !== null);
  return name ? elementSymbol(element, name, 'element') : null;
}

/** Spring's `resource`, MSBuild's `Project`, XInclude's `href`, WSDL's `location`. */
function readInclude(draft: FactsDraft, { tag }: XmlElement): void {
  const source = ['schemaLocation', 'href', 'location', 'resource', 'Project', 'file', 'src']
    .map((name) => attributeOf(tag, name))
    .find((one) => one !== null);
  if (!source) return;
  const module = source.value.replace(/^classpath\*?:/, '');
  draft.imports.push({
    module,
    at: source.start,
    relative: !/^(?:[a-z][a-z0-9+.-]*:\/\/|\/)/i.test(module) && !module.includes('$('),
  });
}

/** A symbol for an element, by an attribute's value or by its own name. */
export function elementSymbol(
  { tag, name }: XmlElement,
  named: TagAttribute | null,
  kind: SymbolDraft['kind'],
  type: string | null = null,
): SymbolDraft {
  const nameStart = named ? named.start : tag.start + 1 + tag.name.length - name.length;
  return {
    name: (named?.value ?? name).replace(/\s+/g, ' '),
    kind,
    nameStart,
    nameEnd: nameStart + (named?.value ?? name).length,
    start: tag.start,
    end: tag.end,
    bodyStart: tag.end,
    type,
  };
}

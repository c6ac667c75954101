import type { SymbolKind } from '../../../search/index.ts';
import type { FactsDraft, SymbolDraft } from '../../scanning/facts-draft.ts';
import { attributeOf } from '../../scanning/tags.ts';
import type { XmlElement } from './definition.ts';
import { elementSymbol } from './plain-elements.ts';

const definitions: ReadonlyMap<string, SymbolKind> = new Map([
  ['element', 'element'],
  ['complexType', 'type'],
  ['simpleType', 'type'],
  ['group', 'type'],
  ['attributeGroup', 'type'],
  ['attribute', 'field'],
]);

/** XSD: what is defined has a `name`; what is used stands in `type`, `base`, `ref`. */
export function readSchemaElement(draft: FactsDraft, element: XmlElement): SymbolDraft | null {
  const { tag, name, prefix } = element;
  if (/^(?:include|import|redefine|override)$/.test(name)) {
    const source = attributeOf(tag, 'schemaLocation');
    if (source) {
      draft.imports.push({
        module: source.value,
        at: source.start,
        relative: !/^[a-z][a-z0-9+.-]*:\/\//i.test(source.value),
      });
    }
    return null;
  }
  const extended = name === 'extension' || name === 'restriction';
  refer(draft, element, 'base', extended ? 'extends' : 'type');
  refer(draft, element, 'ref', 'use');
  refer(draft, element, 'type', 'type');
  refer(draft, element, 'itemType', 'type');
  refer(draft, element, 'substitutionGroup', 'extends');
  if (name === 'enumeration') {
    const value = attributeOf(tag, 'value');
    return value ? elementSymbol(element, value, 'enum-member') : null;
  }
  const kind = definitions.get(name);
  const named = attributeOf(tag, 'name');
  if (kind === undefined || !named) return null;
  const type = attributeOf(tag, 'type')?.value ?? null;
  return elementSymbol(element, named, kind, type === null ? null : withoutPrefix(type, prefix));
}

function refer(
  draft: FactsDraft,
  { tag, prefix }: XmlElement,
  attribute: string,
  kind: 'extends' | 'type' | 'use',
) {
  const used = attributeOf(tag, attribute);
  // Types with the prefix of the schema language itself are its own: `xs:string`.
  if (!used || (prefix !== '' && used.value.startsWith(`${prefix}:`))) return;
  const name = withoutPrefix(used.value, prefix);
  draft.references.push({ name, kind, start: used.start + used.value.length - name.length });
}

function withoutPrefix(value: string, prefix: string): string {
  const colon = value.indexOf(':');
  return colon < 0 || value.startsWith(`${prefix}:`) ? value : value.slice(colon + 1);
}

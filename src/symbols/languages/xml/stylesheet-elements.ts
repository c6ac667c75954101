import type { FactsDraft, SymbolDraft } from '../../scanning/facts-draft.ts';
import { attributeOf } from '../../scanning/tags.ts';
import type { XmlElement } from './definition.ts';
import { elementSymbol } from './plain-elements.ts';

/** XSLT: templates by name or by what they match, functions, variables and parameters at the top, keys. */
export function readStylesheetElement(draft: FactsDraft, element: XmlElement): SymbolDraft | null {
  const { tag, name, depth } = element;
  const named = attributeOf(tag, 'name');
  switch (name) {
    case 'import':
    case 'include': {
      const source = attributeOf(tag, 'href');
      if (source) {
        draft.imports.push({
          module: source.value,
          at: source.start,
          relative: !/^[a-z][a-z0-9+.-]*:/i.test(source.value),
        });
      }
      return null;
    }
    case 'call-template':
      if (named) draft.references.push({ name: named.value, kind: 'call', start: named.start });
      return null;
    case 'template': {
      const naming = named ?? attributeOf(tag, 'match');
      return naming ? elementSymbol(element, naming, 'template') : null;
    }
    case 'function':
      return named ? elementSymbol(element, named, 'function', attributeOf(tag, 'as')?.value ?? null) : null;
    case 'variable':
    case 'param':
      return named && depth === 1 ? elementSymbol(element, named, 'variable') : null;
    case 'key':
    case 'attribute-set':
      return named && depth === 1 ? elementSymbol(element, named, 'key') : null;
    default:
      return null;
  }
}

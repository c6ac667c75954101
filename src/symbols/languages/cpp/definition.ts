import type { GrammarLanguage } from '../../extractor/language-definition.ts';
import { cFamily } from '../c/c-family.ts';
import { withoutUnknownWords } from '../c/unknown-words.ts';

export const cpp: GrammarLanguage = {
  ...cFamily,
  grammar: 'cpp',
  version: 3,
  queries: [
    new URL('../c/declarations.scm', import.meta.url),
    new URL('./queries.scm', import.meta.url),
    new URL('../c/uses.scm', import.meta.url),
  ],
  prepare: (text) => withoutUnknownWords(withoutExportMacros(text)),
  selfNames: ['this'],
  namespaceOf: (text) => text.replaceAll('::', '.'),
  builtins: new Set(
    (
      'NULL EOF size_t ssize_t off_t ptrdiff_t intptr_t uintptr_t wchar_t va_list FILE int8_t int16_t int32_t int64_t uint8_t ' +
      'uint16_t uint32_t uint64_t bool TRUE FALSE static_cast dynamic_cast reinterpret_cast const_cast defined'
    ).split(' '),
  ),
};

/** `class API_EXPORT Name : public Base {`: the grammar takes a macro between the two for the name. */
function withoutExportMacros(text: string): string {
  return text.replace(EXPORT_MACRO, (_all, word: string, macro: string) => word + ' '.repeat(macro.length));
}

const EXPORT_MACRO =
  /\b((?:class|struct|union)[ \t]+)([A-Z][A-Z0-9_]{2,}(?:\([^()\n]{0,200}\))?[ \t]+)(?=[A-Za-z_]\w*[ \t]*(?:final[ \t]*)?(?:[:{]|\r?\n))/g;

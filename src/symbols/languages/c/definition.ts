import type { GrammarLanguage } from '../../extractor/language-definition.ts';
import { cFamily } from './c-family.ts';

export const c: GrammarLanguage = {
  ...cFamily,
  grammar: 'c',
  version: 3,
  queries: [
    new URL('./declarations.scm', import.meta.url),
    new URL('./queries.scm', import.meta.url),
    new URL('./uses.scm', import.meta.url),
  ],
  builtins: new Set(
    (
      'NULL EOF size_t ssize_t off_t ptrdiff_t intptr_t uintptr_t wchar_t va_list FILE int8_t int16_t int32_t int64_t uint8_t ' +
      'uint16_t uint32_t uint64_t bool TRUE FALSE'
    ).split(' '),
  ),
};

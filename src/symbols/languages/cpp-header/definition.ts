import type { GrammarLanguage } from '../../extractor/language-definition.ts';
import { cpp } from '../cpp/definition.ts';

/** What is called `.h`, and so C by its name, but holds C++. */
export const cppHeader: GrammarLanguage = { ...cpp };

const LOOKED_AT_BYTES = 65_536;
const CPP =
  /^[ \t]*(?:class[ \t]+[^;(]*?[{:][^\n]*$|namespace\b[^;\n]*(?:\{|$)|template[ \t]*<|using[ \t]+(?:namespace\b|[\w:]+[ \t]*[=;])|(?:public|private|protected)[ \t]*:|enum[ \t]+class\b|inline[ \t]+namespace\b|#[ \t]*include[ \t]*<(?:c?(?:stdint|stddef|stdlib|string|stdio|assert)|string|vector|memory|map|set|list|deque|atomic|functional|iostream|utility|algorithm|unordered_map|type_traits|mutex|optional|limits)>)/m;

export function isCppHeader(text: Uint8Array): boolean {
  return CPP.test(
    Buffer.from(text.buffer, text.byteOffset, Math.min(text.length, LOOKED_AT_BYTES)).toString('latin1'),
  );
}

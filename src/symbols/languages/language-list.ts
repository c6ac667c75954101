import type { LanguageDefinition } from '../extractor/language-definition.ts';
import { astro } from './astro/definition.ts';
import { bash } from './bash/definition.ts';
import { c } from './c/definition.ts';
import { cpp } from './cpp/definition.ts';
import { cppHeader, isCppHeader } from './cpp-header/definition.ts';
import { csharp } from './csharp/definition.ts';
import { css } from './css/definition.ts';
import { dockerfile } from './dockerfile/definition.ts';
import { elixir } from './elixir/definition.ts';
import { go } from './go/definition.ts';
import { graphql } from './graphql/definition.ts';
import { hcl } from './hcl/definition.ts';
import { html } from './html/definition.ts';
import { java } from './java/definition.ts';
import { javascript } from './javascript/definition.ts';
import { json } from './json/definition.ts';
import { kotlin } from './kotlin/definition.ts';
import { lua } from './lua/definition.ts';
import { markdown } from './markdown/definition.ts';
import { php } from './php/definition.ts';
import { plpgsql } from './plpgsql/definition.ts';
import { protobuf } from './protobuf/definition.ts';
import { python } from './python/definition.ts';
import { ruby } from './ruby/definition.ts';
import { rust } from './rust/definition.ts';
import { scala } from './scala/definition.ts';
import { sql } from './sql/definition.ts';
import { svelte } from './svelte/definition.ts';
import { swift } from './swift/definition.ts';
import { toml } from './toml/definition.ts';
import { tsx } from './tsx/definition.ts';
import { typescript } from './typescript/definition.ts';
import { vue } from './vue/definition.ts';
import { xml } from './xml/definition.ts';
import { yaml } from './yaml/definition.ts';

export interface ListedLanguage {
  /** Name in the language table (src/search/documents/language-table.ts). */
  language: string;
  definition: LanguageDefinition;
}

/** Every language that has an extractor, by the name of its folder. A new one is one line here and one in `byLanguage`. */
export const languageDefinitions: ReadonlyMap<string, ListedLanguage> = new Map<string, ListedLanguage>([
  ['typescript', { language: 'TypeScript', definition: typescript }],
  ['javascript', { language: 'JavaScript', definition: javascript }],
  ['python', { language: 'Python', definition: python }],
  ['go', { language: 'Go', definition: go }],
  ['java', { language: 'Java', definition: java }],
  ['tsx', { language: 'TypeScript', definition: tsx }],
  ['vue', { language: 'Vue', definition: vue }],
  ['svelte', { language: 'Svelte', definition: svelte }],
  ['astro', { language: 'Astro', definition: astro }],
  ['c', { language: 'C', definition: c }],
  ['cpp-header', { language: 'C', definition: cppHeader }],
  ['cpp', { language: 'C++', definition: cpp }],
  ['csharp', { language: 'C#', definition: csharp }],
  ['kotlin', { language: 'Kotlin', definition: kotlin }],
  ['ruby', { language: 'Ruby', definition: ruby }],
  ['php', { language: 'PHP', definition: php }],
  ['scala', { language: 'Scala', definition: scala }],
  ['swift', { language: 'Swift', definition: swift }],
  ['rust', { language: 'Rust', definition: rust }],
  ['bash', { language: 'Shell', definition: bash }],
  ['protobuf', { language: 'Protocol Buffer', definition: protobuf }],
  ['graphql', { language: 'GraphQL', definition: graphql }],
  ['dockerfile', { language: 'Dockerfile', definition: dockerfile }],
  ['toml', { language: 'TOML', definition: toml }],
  ['json', { language: 'JSON', definition: json }],
  ['markdown', { language: 'Markdown', definition: markdown }],
  ['yaml', { language: 'YAML', definition: yaml }],
  ['hcl', { language: 'HCL', definition: hcl }],
  ['html', { language: 'HTML', definition: html }],
  ['css', { language: 'CSS', definition: css }],
  ['xml', { language: 'XML', definition: xml }],
  ['sql', { language: 'SQL', definition: sql }],
  ['plpgsql', { language: 'PLpgSQL', definition: plpgsql }],
  ['lua', { language: 'Lua', definition: lua }],
  ['elixir', { language: 'Elixir', definition: elixir }],
]);

const byLanguage = new Map<string, string>();
for (const [folder, { language }] of languageDefinitions) {
  // Of several dialects the first is the one for all other endings.
  if (!byLanguage.has(language)) byLanguage.set(language, folder);
}

/** Dialects that the table does not tell apart. */
const dialects: readonly {
  language: string;
  ending: string;
  folder: string;
  /** Where the ending does not tell. */
  fits?(text: Uint8Array): boolean;
}[] = [
  { language: 'TypeScript', ending: '.tsx', folder: 'tsx' },
  { language: 'Elixir', ending: '.heex', folder: 'html' },
  { language: 'Elixir', ending: '.eex', folder: 'html' },
  { language: 'C', ending: '.h', folder: 'cpp-header', fits: isCppHeader },
];

/** The folder of the language of a text, null for none. */
export function languageOfText(language: string, path: string, text: Uint8Array): string | null {
  const lower = path.toLowerCase();
  const dialect = dialects.find(
    (one) => one.language === language && lower.endsWith(one.ending) && (one.fits?.(text) ?? true),
  );
  return dialect?.folder ?? byLanguage.get(language) ?? null;
}

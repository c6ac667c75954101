/** How names of other files come into reach, by language. */
export interface LanguageRules {
  /** Languages of one family see each other's names. */
  readonly family: string;
  readonly modules: 'ecmascript' | 'python' | 'go' | 'rust' | 'namespace' | 'include' | 'ruby' | 'none';
  /** A plain name may mean a member of the type around it. */
  readonly implicitThis: boolean;
  /** Files that see each other's names without an import. */
  readonly samePackage: 'folder' | 'namespace' | 'none';
  /** A name of any other file may be in reach although nothing imports it. */
  readonly reachesByName: boolean;
}

const ecmascript = rules('ecmascript', 'ecmascript');
const jvm = rules('jvm', 'namespace', { implicitThis: true, samePackage: 'namespace' });
const include = rules('c', 'include', { implicitThis: true, reachesByName: true });

const byLanguage: Map<string, LanguageRules> = new Map([
  ['TypeScript', ecmascript],
  ['JavaScript', ecmascript],
  ['Vue', ecmascript],
  ['Svelte', ecmascript],
  ['Astro', ecmascript],
  ['Python', rules('python', 'python')],
  ['Go', rules('go', 'go', { samePackage: 'folder' })],
  ['Rust', rules('rust', 'rust')],
  ['Java', jvm],
  ['Kotlin', jvm],
  ['Scala', jvm],
  ['Groovy', jvm],
  ['C#', rules('dotnet', 'namespace', { implicitThis: true, samePackage: 'namespace' })],
  ['PHP', rules('php', 'namespace', { samePackage: 'namespace', reachesByName: true })],
  ['C', include],
  ['C++', include],
  ['Objective-C', include],
  ['Objective-C++', include],
  ['Cuda', include],
  ['Ruby', rules('ruby', 'ruby', { implicitThis: true, reachesByName: true })],
  ['Swift', rules('swift', 'none', { implicitThis: true, reachesByName: true })],
]);

/** Of a language without rules names are in reach everywhere in its repository, and nothing is known of its modules. */
export function rulesOf(language: string | null): LanguageRules {
  const name = language ?? '';
  let found = byLanguage.get(name);
  if (found === undefined) {
    found = rules(name, 'none', { reachesByName: true });
    byLanguage.set(name, found);
  }
  return found;
}

function rules(
  family: string,
  modules: LanguageRules['modules'],
  more: Partial<LanguageRules> = {},
): LanguageRules {
  return { family, modules, implicitThis: false, samePackage: 'none', reachesByName: false, ...more };
}

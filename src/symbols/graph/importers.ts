import { IMPORTS_IT } from '../../search/index.ts';
import type { GraphView } from './graph-view.ts';
import { importingTexts, moduleNamesOf } from './module-names.ts';
import { rulesOf } from './resolver/language-rules.ts';
import { baseOf, folderOf, stemOf } from './resolver/paths.ts';

const indexStems: ReadonlySet<string> = new Set(['index', '__init__', 'mod', 'lib', 'main', 'init']);

/** Best ranks of texts that may import a file, by the names of modules that they write. Whether they do is told by resolving. */
export function importersOfFile(view: GraphView, file: number): number[] {
  const path = view.pathOf(file);
  const found = importingTexts(view, moduleNamesOf(view, { file, symbol: -1 }));
  const stem = moduleStemOf(path);
  const { modules } = rulesOf(view.languageOf(file));
  if (stem !== '' && modules !== 'go') {
    const wanted = [stem, stemOf(path), baseOf(path)].map((name) => name.toLowerCase());
    const accepts = (module: string) => {
      const last = lastPart(module).toLowerCase();
      return wanted.includes(last) || wanted.includes(stemOf(last));
    };
    for (const ranks of view.names.modulesLike(stem, 'anywhere', accepts).values())
      for (const rank of ranks) found.add(rank);
    // `from package import module`, `use crate::module`.
    const { ranks, kinds, length } = view.names.using(stem);
    for (let i = 0; i < length; i++) if (kinds[i]! & IMPORTS_IT) found.add(ranks[i]!);
  }
  // A folder's index is imported by files within and beside by dots alone.
  if (indexStems.has(stemOf(path))) {
    for (const module of ['.', './', '..', '../', './index', '../index']) {
      for (const rank of view.names.importers([module])) found.add(rank);
    }
  }
  return [...Uint32Array.from(found).sort()];
}

/** What the end of a module's name is for a file: its base name without endings, or that of the folder that it is the index of. */
export function moduleStemOf(path: string): string {
  const stem = stemOf(path);
  if (!indexStems.has(stem)) return stem;
  const folder = folderOf(path);
  return folder === '' ? stem : baseOf(folder.slice(0, -1));
}

function lastPart(module: string): string {
  return module
    .replace(/[/\\:.]+$/, '')
    .replace(/^.*(?:[/\\]|::)/, '')
    .replace(/^(?:[\w-]+\.)+(?=[\w-]+$)/, (packages) =>
      // `a.b.c` of Python and Java ends with c, `c.test.js` begins with it.
      /\.(?:[cm]?[jt]sx?|h|hpp|hh|py|rb|php|vue|svelte)$/.test(module) ? packages : '',
    );
}

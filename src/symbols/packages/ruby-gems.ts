import type { DependencyFact, PackageFact } from '../../search/index.ts';

/** A gemspec, as far as strings tell; nothing is run. `extra`: folders of sources. */
export function readGemspec(text: string): PackageFact | null {
  const variable = text.match(/Gem::Specification\.new\b[^|]*\|\s*(\w+)\s*\|/)?.[1];
  if (variable === undefined) return null;
  const dependencies: DependencyFact[] = [];
  text.split('\n').forEach((line, index) => {
    const found = line.match(
      /\.add_(runtime_|development_)?dependency\s*\(?\s*["']([^"']+)["']((?:\s*,\s*["'][^"']*["'])*)/,
    );
    if (!found) return;
    dependencies.push({
      name: found[2]!,
      version: versions(found[3]!),
      scope: found[1] === 'development_' ? 'dev' : 'run',
      line: index + 1,
    });
  });
  const folders = text.match(/\.require_paths?\s*=\s*\[?([^\n\]]*)/)?.[1]?.match(/[\w/.-]+/g);
  return {
    ecosystem: 'gem',
    name: text.match(/\.name\s*=\s*["']([^"'\n]+)["']/)?.[1] ?? null,
    version: text.match(/\.version\s*=\s*["']([^"'\n]+)["']/)?.[1] ?? null,
    dependencies,
    extra: folders ? JSON.stringify({ folders }) : null,
  };
}

/** A Gemfile. `extra`: gems that lie in a folder beside it. */
export function readGemfile(text: string): PackageFact {
  const dependencies: DependencyFact[] = [];
  const folders: Record<string, string> = {};
  let dev = 0;
  text.split('\n').forEach((line, index) => {
    if (/^\s*group\b.*:(?:development|test)/.test(line)) dev = 1;
    else if (/^\s*end\b/.test(line)) dev = 0;
    const found = line.match(/^\s*gem\s*\(?\s*["']([^"']+)["']((?:\s*,\s*["'][^"']*["'])*)/);
    if (!found) return;
    const folder = line.match(/\bpath:\s*["']([^"']+)["']/)?.[1];
    if (folder !== undefined) folders[found[1]!] = folder;
    dependencies.push({
      name: found[1]!,
      version: versions(found[2]!),
      scope: dev || /\bgroup:\s*:?\[?:?(?:development|test)/.test(line) ? 'dev' : 'run',
      line: index + 1,
    });
  });
  return {
    ecosystem: 'gem',
    name: null,
    version: null,
    dependencies,
    extra: Object.keys(folders).length > 0 ? JSON.stringify({ gems: folders }) : null,
  };
}

function versions(list: string): string {
  return [...list.matchAll(/["']([^"']*)["']/g)].map((one) => one[1]!).join(', ');
}

import type { DependencyFact, PackageFact } from '../../search/index.ts';

/** Go's go.mod. `extra`: what `replace` says, as pairs of path and where it leads. */
export function readGoMod(text: string): PackageFact {
  let name: string | null = null;
  let block = '';
  const dependencies: DependencyFact[] = [];
  const replaced: [string, string][] = [];
  text.split('\n').forEach((written, index) => {
    const line = written.replace(/\/\/.*/, '').trim();
    if (line === ')') block = '';
    if (line === '' || line === ')') return;
    const opened = line.match(/^(\w+)\s*\($/);
    if (opened) {
      block = opened[1]!;
      return;
    }
    const [verb = '', ...words] = block === '' ? line.split(/\s+/) : [block, ...line.split(/\s+/)];
    const [path = '', version = ''] = words.map((word) => word.replace(/^["`]|["`]$/g, ''));
    if (verb === 'module') name = path;
    else if (verb === 'require') dependencies.push({ name: path, version, scope: 'run', line: index + 1 });
    else if (verb === 'tool') dependencies.push({ name: path, version: '', scope: 'build', line: index + 1 });
    else if (verb === 'replace') {
      const arrow = words.indexOf('=>');
      if (arrow > 0 && words[arrow + 1]) replaced.push([path, words.slice(arrow + 1).join(' ')]);
    }
  });
  return {
    ecosystem: 'go',
    name,
    version: null,
    dependencies,
    extra: replaced.length > 0 ? JSON.stringify({ replace: replaced }) : null,
  };
}

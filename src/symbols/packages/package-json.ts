import type { DependencyFact, PackageFact } from '../../search/index.ts';

const scopes = [
  ['dependencies', 'run'],
  ['devDependencies', 'dev'],
  ['peerDependencies', 'peer'],
  ['optionalDependencies', 'optional'],
] as const satisfies readonly (readonly [string, DependencyFact['scope']])[];

const extraKeys = ['main', 'module', 'types', 'typings', 'exports', 'imports', 'workspaces', 'bin'] as const;

/** npm's package.json. `extra` holds where its entry points lie and, for the root of a workspace, its folders. */
export function readPackageJson(text: string): PackageFact | null {
  const manifest: unknown = JSON.parse(text);
  if (!isRecord(manifest)) return null;
  const dependencies: DependencyFact[] = [];
  for (const [key, scope] of scopes) {
    const section = manifest[key];
    if (!isRecord(section)) continue;
    const from = Math.max(0, text.indexOf(`"${key}"`));
    for (const [name, version] of Object.entries(section)) {
      if (typeof version !== 'string') continue;
      dependencies.push({ name, version, scope, line: lineOf(text, `"${name}"`, from) });
    }
  }
  const extra = Object.fromEntries(
    extraKeys.flatMap((key) => (manifest[key] === undefined ? [] : [[key, manifest[key]]])),
  );
  return {
    ecosystem: 'npm',
    name: typeof manifest['name'] === 'string' ? manifest['name'] : null,
    version: typeof manifest['version'] === 'string' ? manifest['version'] : null,
    dependencies,
    extra: Object.keys(extra).length > 0 ? JSON.stringify(extra) : null,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function lineOf(text: string, part: string, from: number): number {
  const at = Math.max(0, text.indexOf(part, from));
  return text.slice(0, at).split('\n').length;
}

import type { PackageFact } from '../../search/index.ts';
import { extraOf, isRecord, jsonDependencies, stringIn } from './json-manifests.ts';

const sections = [
  ['dependencies', 'run'],
  ['devDependencies', 'dev'],
  ['peerDependencies', 'peer'],
  ['optionalDependencies', 'optional'],
] as const;
const extraKeys = ['main', 'module', 'types', 'typings', 'exports', 'imports', 'workspaces', 'bin'];

/** npm's package.json. `extra` holds where its entry points lie and, for the root of a workspace, its folders. */
export function readPackageJson(text: string): PackageFact | null {
  const manifest: unknown = JSON.parse(text);
  if (!isRecord(manifest)) return null;
  return {
    ecosystem: 'npm',
    name: stringIn(manifest, 'name'),
    version: stringIn(manifest, 'version'),
    dependencies: jsonDependencies(text, manifest, sections),
    extra: extraOf(manifest, extraKeys),
  };
}

/** pnpm-workspace.yaml: the folders of the workspace, in `extra` as package.json would name them. Only its plain list is read. */
export function readPnpmWorkspace(text: string): PackageFact | null {
  const list = text.match(
    /^packages:[ \t]*\r?\n((?:[ \t]*(?:#[^\n]*)?\r?\n|[ \t]*-[^\n]*(?:\r?\n|$))*)/m,
  )?.[1];
  if (list === undefined) return null;
  const workspaces = [...list.matchAll(/^[ \t]*-[ \t]*(?:"([^"]*)"|'([^']*)'|([^\s#]+))/gm)].map(
    (one) => one[1] ?? one[2] ?? one[3] ?? '',
  );
  return {
    ecosystem: 'npm',
    name: null,
    version: null,
    dependencies: [],
    extra: JSON.stringify({ workspaces }),
  };
}

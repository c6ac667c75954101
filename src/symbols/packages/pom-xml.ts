import type { DependencyFact, PackageFact } from '../../search/index.ts';
import { xmlElements } from './xml-elements.ts';

const scopes: Record<string, DependencyFact['scope']> = { test: 'dev', provided: 'build', system: 'build' };

/** Maven's pom.xml. Names are `group:artifact`; properties of the file itself are filled in. `extra`: modules, parent, source folder. */
export function readPomXml(text: string): PackageFact | null {
  const said = new Map<string, string>();
  const properties = new Map<string, string>();
  const modules: string[] = [];
  const found: { parts: Map<string, string>; line: number }[] = [];
  let parts = new Map<string, string>();
  for (const { path, text: content, line } of xmlElements(text)) {
    if (!path.startsWith('project/')) continue;
    const inner = path.slice('project/'.length);
    if (inner.startsWith('properties/')) properties.set(inner.slice('properties/'.length), content);
    else if (inner === 'modules/module') modules.push(content);
    else if (inner === 'dependencies/dependency') {
      found.push({ parts, line });
      parts = new Map();
    } else if (/^dependencies\/dependency\/[^/]+$/.test(inner))
      parts.set(inner.slice(inner.lastIndexOf('/') + 1), content);
    else if (/^(?:parent\/)?(?:groupId|artifactId|version)$|^build\/sourceDirectory$/.test(inner))
      said.set(inner, content);
  }
  const artifact = said.get('artifactId');
  if (artifact === undefined) return null;
  const group = said.get('groupId') ?? said.get('parent/groupId') ?? '';
  const version = said.get('version') ?? said.get('parent/version') ?? null;
  properties.set('project.groupId', group).set('pom.groupId', group);
  properties.set('project.version', version ?? '').set('pom.version', version ?? '');
  const filled = (value: string) =>
    value.replace(/\$\{([^}]+)\}/g, (whole, key: string) => properties.get(key) ?? whole);
  const parent = said.get('parent/artifactId');
  const sources = said.get('build/sourceDirectory');
  const extra = {
    ...(modules.length > 0 ? { modules } : {}),
    ...(parent === undefined ? {} : { parent: `${said.get('parent/groupId') ?? ''}:${parent}` }),
    ...(sources === undefined ? {} : { folders: sources }),
  };
  return {
    ecosystem: 'maven',
    name: `${filled(group)}:${filled(artifact)}`,
    version: version === null ? null : filled(version),
    dependencies: found.map(({ parts: one, line }) => ({
      name: `${filled(one.get('groupId') ?? '')}:${filled(one.get('artifactId') ?? '')}`,
      version: filled(one.get('version') ?? ''),
      scope: one.get('optional') === 'true' ? 'optional' : (scopes[one.get('scope') ?? ''] ?? 'run'),
      line,
    })),
    extra: Object.keys(extra).length > 0 ? JSON.stringify(extra) : null,
  };
}

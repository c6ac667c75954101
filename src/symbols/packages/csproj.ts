import type { DependencyFact, PackageFact } from '../../search/index.ts';
import { xmlElements } from './xml-elements.ts';

/** .NET's project files. Without a name of its own a project is called by its file. `extra`: other projects by their paths, root namespace. */
export function readCsproj(text: string, path: string): PackageFact | null {
  const said = new Map<string, string>();
  const projects: string[] = [];
  const dependencies: DependencyFact[] = [];
  const elements = xmlElements(text);
  if (!elements.some((one) => one.path === 'Project')) return null;
  for (const { path: place, attributes, text: content, line } of elements) {
    const property = place.match(
      /^Project\/PropertyGroup\/(PackageId|AssemblyName|RootNamespace|Version)$/,
    )?.[1];
    if (property) said.set(property, content);
    const include = attributes.get('Include');
    if (include === undefined) continue;
    if (place.endsWith('/ProjectReference')) projects.push(include.replaceAll('\\', '/'));
    if (!/\/(?:PackageReference|PackageVersion)$/.test(place)) continue;
    const build = /all/i.test(attributes.get('PrivateAssets') ?? '');
    dependencies.push({
      name: include,
      version: attributes.get('Version') ?? attributes.get('VersionOverride') ?? '',
      scope: build ? 'build' : 'run',
      line,
    });
  }
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  const namespace = said.get('RootNamespace');
  const extra = {
    ...(projects.length > 0 ? { projects } : {}),
    ...(namespace === undefined ? {} : { namespace }),
  };
  return {
    ecosystem: 'nuget',
    name: said.get('PackageId') ?? said.get('AssemblyName') ?? file,
    version: said.get('Version') ?? null,
    dependencies,
    extra: Object.keys(extra).length > 0 ? JSON.stringify(extra) : null,
  };
}

import type { DependencyFact, PackageFact } from '../../search/index.ts';
import { tomlEntries } from './toml-entries.ts';

/**
 * build.gradle and build.gradle.kts, as far as strings tell; nothing is run. Dependencies on other projects of the build stand in
 * `extra` as their paths, those on a version catalog as `libs.…` in `catalog`.
 */
export function readBuildGradle(text: string): PackageFact {
  const dependencies: DependencyFact[] = [];
  const projects: string[] = [];
  const catalog: string[] = [];
  const group = text.match(/^\s*group\s*=?\s*\(?["']([^"'\n]+)["']/m)?.[1];
  text.split('\n').forEach((written, index) => {
    const line = written.replace(/^\s*\/\/.*/, '');
    const found = line.match(/^\s*["']?(\w+)["']?\s*[( ]\s*(.*)$/);
    const scope = found ? scopeOf(found[1]!) : null;
    if (!found || scope === null) return;
    const said = found[2]!;
    const project = said.match(/project\s*\(?\s*(?:path\s*[:=]\s*)?["']([^"']+)["']/)?.[1];
    const alias = said.match(/^\(?\s*(?:platform\s*\(\s*)?libs\.([\w.]+)/)?.[1];
    const named = said.match(/["']([\w.-]+):([\w.-]+)(?::([^"':@]+))?[^"']*["']/);
    const spelt = said.match(
      /group\s*[:=]\s*["']([^"']+)["'],\s*name\s*[:=]\s*["']([^"']+)["'](?:,\s*version\s*[:=]\s*["']([^"']+)["'])?/,
    );
    const one = spelt ?? named;
    if (project) projects.push(project);
    else if (alias) catalog.push(alias);
    else if (one)
      dependencies.push({ name: `${one[1]}:${one[2]}`, version: one[3] ?? '', scope, line: index + 1 });
  });
  const extra = {
    ...(group === undefined ? {} : { group }),
    ...(projects.length > 0 ? { projects } : {}),
    ...(catalog.length > 0 ? { catalog } : {}),
  };
  return {
    ecosystem: 'maven',
    name: null,
    version: text.match(/^\s*version\s*=?\s*\(?["']([^"'\n]+)["']/m)?.[1] ?? null,
    dependencies,
    extra: Object.keys(extra).length > 0 ? JSON.stringify(extra) : null,
  };
}

/** settings.gradle: the name of the build and its projects. */
export function readSettingsGradle(text: string): PackageFact {
  const modules = [...text.matchAll(/^\s*include\b([^\n]*(?:,\s*\n[^\n]*)*)/gm)].flatMap((found) =>
    [...found[1]!.matchAll(/["']([^"']+)["']/g)].map((one) => one[1]!),
  );
  return {
    ecosystem: 'maven',
    name: text.match(/rootProject\.name\s*=\s*["']([^"']+)["']/)?.[1] ?? null,
    version: null,
    dependencies: [],
    extra: modules.length > 0 ? JSON.stringify({ modules }) : null,
  };
}

/** gradle/libs.versions.toml. `extra`: what each alias stands for. */
export function readVersionCatalog(text: string): PackageFact {
  const versions = new Map<string, string>();
  const aliases: Record<string, string> = {};
  const dependencies: DependencyFact[] = [];
  for (const { path, value, line } of tomlEntries(text)) {
    const [table, alias] = path;
    if (alias === undefined) continue;
    if (table === 'versions' && typeof value === 'string') versions.set(alias, value);
    if (table !== 'libraries') continue;
    const parts = typeof value === 'string' ? value.split(':') : [];
    const said = typeof value === 'object' && !Array.isArray(value) ? value : {};
    const name =
      said['module'] ?? (said['group'] ? `${said['group']}:${said['name']}` : parts.slice(0, 2).join(':'));
    if (typeof name !== 'string' || !name.includes(':')) continue;
    const reference = said['version.ref'];
    const version = typeof reference === 'string' ? versions.get(reference) : (said['version'] ?? parts[2]);
    aliases[alias.replace(/[-_]/g, '.')] = name;
    dependencies.push({ name, version: typeof version === 'string' ? version : '', scope: 'run', line });
  }
  return { ecosystem: 'maven', name: null, version: null, dependencies, extra: JSON.stringify({ aliases }) };
}

function scopeOf(configuration: string): DependencyFact['scope'] | null {
  if (
    /^test\w*(?:Implementation|Api|Compile|CompileOnly|RuntimeOnly|Runtime)$|^androidTest/i.test(
      configuration,
    )
  )
    return 'dev';
  if (/^(?:annotationProcessor|kapt|ksp|compileOnly|provided|optional|classpath)$/.test(configuration)) {
    return configuration === 'optional' ? 'optional' : 'build';
  }
  return /^(?:api|implementation|compile|runtime|runtimeOnly|\w+(?:Implementation|Api))$/.test(configuration)
    ? 'run'
    : null;
}

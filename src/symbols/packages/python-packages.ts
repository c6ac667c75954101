import type { DependencyFact, PackageFact } from '../../search/index.ts';
import { type TomlValue, tomlEntries } from './toml-entries.ts';

/** pyproject.toml, as PEP 621 and as Poetry write it. `extra`: folders of sources. */
export function readPyproject(text: string): PackageFact {
  const facts = newFacts();
  for (const { path, value, line } of tomlEntries(text)) {
    const key = path.join('.');
    const last = path[path.length - 1]!;
    if (/^(?:project|tool\.poetry)\.(?:name|version)$/.test(key) && typeof value === 'string') {
      if (last === 'name') facts.name ??= value;
      else facts.version ??= value;
    } else if (key === 'project.dependencies') addAll(facts, value, 'run', text, line);
    else if (key.startsWith('project.optional-dependencies.')) addAll(facts, value, 'optional', text, line);
    else if (key.startsWith('dependency-groups.')) addAll(facts, value, 'dev', text, line);
    else if (key === 'build-system.requires') addAll(facts, value, 'build', text, line);
    else if (/^tool\.poetry\.(?:dependencies|dev-dependencies|group\.[^.]+\.dependencies)\./.test(key)) {
      const poetry = key.match(
        /^tool\.poetry\.(dependencies|dev-dependencies|group\.[^.]+\.dependencies)\.([^.]+)/,
      )!;
      const name = poetry[2]!;
      if (name !== 'python' && !facts.dependencies.some((one) => one.name === name)) {
        const scope = poetry[1] === 'dependencies' ? 'run' : 'dev';
        facts.dependencies.push({ name, version: versionOf(value), scope, line });
      }
    } else if (key === 'tool.poetry.packages' || key === 'tool.setuptools.packages')
      facts.extra['packages'] = value;
    else if (key.startsWith('tool.setuptools.package-dir') || key === 'tool.setuptools.packages.find.where') {
      facts.extra['folders'] = value;
    } else if (key.startsWith('tool.hatch.build') && last === 'packages') facts.extra['packages'] = value;
  }
  return finished(facts);
}

/** requirements.txt and the like: one requirement a line. */
export function readRequirements(text: string, path: string): PackageFact {
  const facts = newFacts();
  const scope = /dev|test|lint|doc/i.test(path.slice(path.lastIndexOf('/') + 1)) ? 'dev' : 'run';
  text.split('\n').forEach((written, index) => {
    const line = written.replace(/(?:^|\s)#.*/, '').trim();
    if (line !== '' && !line.startsWith('-')) add(facts, line, scope, index + 1);
  });
  return finished(facts);
}

/** setup.cfg: `[metadata]` and `[options]`. */
export function readSetupCfg(text: string): PackageFact {
  const facts = newFacts();
  let section = '';
  let key = '';
  text.split('\n').forEach((written, index) => {
    const head = written.match(/^\[([^\]]+)\]/);
    if (head) {
      section = head[1]!.trim();
      key = '';
      return;
    }
    if (/^\s*[#;]/.test(written)) return;
    const pair = written.match(/^([\w.-]+)\s*[=:]\s*(.*)$/);
    if (pair) key = pair[1]!;
    const value = (pair ? pair[2]! : written).trim();
    if (value === '') return;
    if (section === 'metadata' && key === 'name') facts.name ??= value;
    else if (section === 'metadata' && key === 'version') facts.version ??= value;
    else if (section === 'options' && key === 'install_requires') add(facts, value, 'run', index + 1);
    else if (section === 'options' && key === 'setup_requires') add(facts, value, 'build', index + 1);
    else if (section === 'options.extras_require') add(facts, value, 'optional', index + 1);
    else if (section === 'options' && key === 'package_dir')
      facts.extra['folders'] = value.replace(/^=\s*/, '');
  });
  return finished(facts);
}

/** setup.py: what its call of `setup` says in plain strings and lists. Nothing is run. */
export function readSetupPy(text: string): PackageFact | null {
  if (!/\bsetup\s*\(/.test(text)) return null;
  const facts = newFacts();
  facts.name = text.match(/\bname\s*=\s*["']([^"'\n]+)["']/)?.[1] ?? null;
  facts.version = text.match(/\bversion\s*=\s*["']([^"'\n]+)["']/)?.[1] ?? null;
  for (const [key, scope] of [
    ['install_requires', 'run'],
    ['setup_requires', 'build'],
    ['tests_require', 'dev'],
  ] as const) {
    const found = text.match(new RegExp(`\\b${key}\\s*=\\s*\\[([^\\]]*)\\]`));
    if (!found) continue;
    const from = found.index!;
    for (const one of found[1]!.matchAll(/["']([^"'\n]+)["']/g)) {
      add(facts, one[1]!, scope, lineOf(text, text.indexOf(one[0], from)));
    }
  }
  const folder = text.match(/\bpackage_dir\s*=\s*\{\s*["']["']\s*:\s*["']([^"']+)["']/)?.[1];
  if (folder) facts.extra['folders'] = folder;
  return finished(facts);
}

interface Facts {
  name: string | null;
  version: string | null;
  dependencies: DependencyFact[];
  extra: Record<string, unknown>;
}

function newFacts(): Facts {
  return { name: null, version: null, dependencies: [], extra: {} };
}

function finished({ extra, ...facts }: Facts): PackageFact {
  return {
    ecosystem: 'python',
    ...facts,
    extra: Object.keys(extra).length > 0 ? JSON.stringify(extra) : null,
  };
}

function addAll(
  facts: Facts,
  value: TomlValue,
  scope: DependencyFact['scope'],
  text: string,
  line: number,
): void {
  if (!Array.isArray(value)) return;
  let from = 0;
  for (let passed = 1; passed < line; passed++) from = text.indexOf('\n', from) + 1;
  for (const one of value) {
    if (typeof one !== 'string') continue;
    const at = text.indexOf(one, from);
    add(facts, one, scope, at < 0 ? line : line + text.slice(from, at).split('\n').length - 1);
  }
}

/** PEP 508: `name[extra] >= 1 ; marker`, `name @ address`. */
function add(facts: Facts, written: string, scope: DependencyFact['scope'], line: number): void {
  const found = written.match(/^([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*([^;]*)/);
  if (!found) return;
  facts.dependencies.push({ name: found[1]!, version: found[2]!.trim().slice(0, 200), scope, line });
}

function versionOf(value: TomlValue): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || Array.isArray(value)) return '';
  return typeof value['version'] === 'string' ? value['version'] : '';
}

function lineOf(text: string, at: number): number {
  return text.slice(0, Math.max(0, at)).split('\n').length;
}

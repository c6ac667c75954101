import type { PackageFact } from '../../search/index.ts';
import { extraOf, isRecord, jsonDependencies, stringIn } from './json-manifests.ts';

/** PHP's composer.json. `extra`: which namespaces lie in which folders. */
export function readComposerJson(text: string): PackageFact | null {
  const manifest: unknown = JSON.parse(text);
  if (!isRecord(manifest)) return null;
  return {
    ecosystem: 'composer',
    name: stringIn(manifest, 'name'),
    version: stringIn(manifest, 'version'),
    // `php` and its extensions are no packages.
    dependencies: jsonDependencies(text, manifest, [
      ['require', 'run'],
      ['require-dev', 'dev'],
    ]).filter(({ name }) => name.includes('/')),
    extra: extraOf(manifest, ['autoload', 'autoload-dev']),
  };
}

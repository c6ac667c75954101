import type { PackageFact } from '../../search/index.ts';
import { readPackageJson } from './package-json.ts';

/** Readers by what a path ends with. Each is given the text and gives null where it is no manifest after all. */
const readers: readonly {
  fits(name: string): boolean;
  read(text: string, path: string): PackageFact | null;
}[] = [{ fits: (name) => name === 'package.json', read: readPackageJson }];

/** What a package manifest says, null where `path` names none or its text cannot be read. */
export function readPackageFile(path: string, text: Uint8Array): PackageFact | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const reader = readers.find(({ fits }) => fits(name));
  if (!reader) return null;
  try {
    return reader.read(Buffer.from(text.buffer, text.byteOffset, text.length).toString('utf8'), path);
  } catch {
    // Broken manifests are ordinary: fixtures of tests, templates.
    return null;
  }
}

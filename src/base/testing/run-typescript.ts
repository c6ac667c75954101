import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const cacheFolder = path.resolve(import.meta.dirname, '../../../node_modules/.cache/periscope-tests');

/**
 * Bundles a TypeScript entry (an absolute path) into one `.mjs` that plain `node FILE` runs, and returns that file's path. For tests
 * that need a process of their own: Node 20 reads no TypeScript, and tests must not depend on a build.
 * Packages stay outside the bundle and resolve from the repository's node_modules, below which the file lies; those named in `inline`
 * go into it, which lets a process that is started often start sooner when a package has hundreds of files.
 */
export async function bundleForNode(
  entry: string,
  { inline = [] }: { inline?: readonly string[] } = {},
): Promise<string> {
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    external: (id) => !id.startsWith('.') && !path.isAbsolute(id) && !inline.includes(id),
    plugins: [{ name: 'own-place', transform: (code, id) => ownPlace(code, id) }],
  });
  try {
    const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
    return await keep(path.basename(entry, '.ts'), output[0].code);
  } finally {
    await bundle.close();
  }
}

/** A module that reads a file beside itself must go on finding it after it moved into the bundle. */
function ownPlace(code: string, id: string): string | null {
  if (!code.includes('import.meta.')) return null;
  return code
    .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(id)))
    .replaceAll('import.meta.filename', JSON.stringify(id))
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
}

async function keep(name: string, code: string): Promise<string> {
  const digest = createHash('sha256').update(code).digest('hex').slice(0, 16);
  const file = path.join(cacheFolder, `${name}-${digest}.mjs`);
  await mkdir(cacheFolder, { recursive: true });
  // Test files run side by side: a half-written bundle must never be seen.
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, code);
  await rename(unfinished, file);
  return file;
}

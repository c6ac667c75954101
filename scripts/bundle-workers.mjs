import { readdirSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

/**
 * Makes each worker of a compiled tree one file, in its place. A thread that starts reads hundreds of small modules otherwise, which takes it a
 * quarter of a CPU-second. Packages stay outside, and what a module looks for beside itself is looked for beside where it was.
 */
export async function bundleWorkers(folder) {
  const workers = readdirSync(folder, { recursive: true })
    .map((file) => path.resolve(folder, String(file)))
    .filter((file) => file.endsWith('-worker.js'));
  // All are read before one is replaced: one may stand on another's modules.
  const bundles = await Promise.all(workers.map(async (file) => ({ file, bundle: await bundled(file) })));
  for (const { file, bundle } of bundles) {
    await bundle.write({ file, format: 'esm', codeSplitting: false });
    await bundle.close();
  }
}

async function bundled(file) {
  const isPackage = /^[^./]/;
  return rolldown({
    input: file,
    platform: 'node',
    external: isPackage,
    plugins: [urlsOfModules(file)],
    // A package of which nothing is used need not be loaded.
    treeshake: { moduleSideEffects: (_, isExternal) => !isExternal },
  });
}

/** `import.meta.url` as each module had it, wherever the bundle is moved with the tree. */
function urlsOfModules(bundle) {
  return {
    name: 'urls-of-modules',
    transform(code, module) {
      if (!code.includes('import.meta.url')) return null;
      const from = path.relative(path.dirname(bundle), module).split(path.sep).join('/');
      return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(from)}, import.meta.url).href`);
    },
  };
}

import path from 'node:path';

const build = path.resolve(import.meta.dirname, '../..', process.env['PERISCOPE_BENCH_BUILD'] ?? 'dist');

/** A module of the built code: benches measure what users run. */
export function built(module) {
  return import(path.join(build, module, 'index.js'));
}

/** A file of the built code that no module names: for benches that measure a part by itself. */
export function builtFile(file) {
  return import(path.join(build, file));
}

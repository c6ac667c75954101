import path from 'node:path';

const build = path.resolve(import.meta.dirname, '../..', process.env['PERISCOPE_BENCH_BUILD'] ?? 'dist');

/** A module of the built code: benches measure what users run. */
export function built(module) {
  return import(path.join(build, module, 'index.js'));
}

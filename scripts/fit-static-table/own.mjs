import path from 'node:path';

const build = path.resolve(import.meta.dirname, '../..', process.env['PERISCOPE_BENCH_BUILD'] ?? 'dist');

/** A file of the built module: fitting needs parts of it that nobody else does. */
export function own(file) {
  return import(path.join(build, 'vectors', file));
}

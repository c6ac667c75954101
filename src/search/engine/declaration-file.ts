import type { Manifest } from '../manifests/manifest.ts';

/** Files that say what others define: headers and stubs. */
const ENDINGS = ['.h', '.hh', '.hpp', '.hxx', '.d.ts', '.d.mts', '.d.cts', '.pyi', '.mli', '.rbi'].map(
  (ending) => Buffer.from(ending),
);

export function isDeclarationFile({ pathBytes, pathStarts }: Manifest, row: number): boolean {
  const path = pathBytes.subarray(pathStarts[row]!, pathStarts[row + 1]);
  return ENDINGS.some((ending) => endsWith(path, ending));
}

function endsWith(path: Uint8Array, ending: Uint8Array): boolean {
  const from = path.length - ending.length;
  return from > 0 && ending.every((byte, i) => path[from + i] === byte);
}

export interface LfsPointer {
  lfsOid: string;
  lfsSizeBytes: number;
}

const versionLine = Buffer.from('version https://git-lfs.github.com/spec/v1');

/** The pointer that Git LFS commits in place of a file, by its specification (docs/spec.md): under 1024 bytes, keys one a line. */
export function parseLfsPointer(bytes: Buffer): LfsPointer | null {
  if (bytes.length >= 1024 || !bytes.subarray(0, versionLine.length).equals(versionLine)) return null;
  const text = bytes.toString('latin1');
  const oid = /^oid ([a-z0-9]+:[0-9a-f]+)\r?$/m.exec(text)?.[1];
  const size = /^size (\d{1,15})\r?$/m.exec(text)?.[1];
  return oid === undefined || size === undefined ? null : { lfsOid: oid, lfsSizeBytes: Number(size) };
}

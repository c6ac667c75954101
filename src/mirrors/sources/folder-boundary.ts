import { isUtf8 } from 'node:buffer';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Nothing of a repository that is read in place may lie outside the configured folder: alternates, `gitdir:` and `commondir` files
 * and symbolic links could hand over another repository's objects. Links below its objects and its references must even stay in its
 * own git directory: another repository of the same folder may be one that the reader has no right to. What else names files, a
 * multi-pack-index, git is told not to read (git-environment.ts).
 *
 * What is checked is what is there at this moment. Who can write into the folder could change it between the check and a read;
 * the check is made anew whenever the object directories change.
 */
export interface BoundedFolder {
  /** Real paths, all within the root. */
  gitDir: string;
  commonDir: string;
  objectDirectory: string;
  sizeBytes: number;
}

export class OutsideRoot extends Error {}

const alternatesDepthMax = 5;

export async function boundedFolder(source: { gitDir: string; root: string }): Promise<BoundedFolder> {
  const inside = await insideRoot(source.root);
  const gitDir = await inside(await followGitFile(source.gitDir), 'its git directory');
  const commonDir = await inside(await commonDirOf(gitDir), 'its commondir file');
  const objectDirectory = await inside(path.join(commonDir, 'objects'), 'its objects directory');
  for (const file of ['packed-refs', 'reftable', 'config', 'shallow'].map((name) =>
    path.join(commonDir, name),
  )) {
    if (await exists(file)) await inside(file, `its ${path.basename(file)} file`);
  }
  for (const file of ['HEAD', 'index'].map((name) => path.join(gitDir, name))) {
    if (await exists(file)) await inside(file, `its ${path.basename(file)} file`);
  }

  let sizeBytes = 0;
  const checkObjects = async (folder: string, depth: number) => {
    if (depth > alternatesDepthMax) throw new OutsideRoot('its alternates lead on and on');
    const own = await insideOf(path.dirname(folder), 'its git directory');
    sizeBytes += await checkLinks(folder, 'a link among its objects', own);
    for (const alternate of await alternatesOf(folder)) {
      if (!(await exists(alternate))) continue;
      await checkObjects(await inside(alternate, 'its alternates file'), depth + 1);
    }
  };
  await checkObjects(objectDirectory, 0);
  return { gitDir, commonDir, objectDirectory, sizeBytes };
}

/** References of their own: they change far more often than objects move. */
export async function checkRefsFolder(commonDir: string, root: string): Promise<void> {
  const inside = await insideRoot(root);
  const refs = await inside(path.join(commonDir, 'refs'), 'its refs directory');
  const own = await insideOf(path.dirname(refs), 'its git directory');
  await checkLinks(refs, 'a link among its references', own);
  const packed = path.join(commonDir, 'packed-refs');
  if (await exists(packed)) await inside(packed, 'its packed-refs file');
  await checkTables(path.join(commonDir, 'reftable'), inside);
}

/** Later gits keep references in tables that a list names; they lie beside it. */
async function checkTables(folder: string, inside: Inside): Promise<void> {
  if (!(await exists(folder))) return;
  const tables = await inside(folder, 'its reftable directory');
  await checkLinks(tables, 'a link among its references', await insideOf(tables, 'its git directory'));
  const list = path.join(tables, 'tables.list');
  if ((await exists(list)) && (await textOf(list, 'its list of reference tables')).includes('/')) {
    throw new OutsideRoot('its list of reference tables leads elsewhere');
  }
}

type Inside = (file: string, what: string) => Promise<string>;

/** The configured folder is a real path: one that is a link by now was put in its place to lead elsewhere. */
async function insideRoot(root: string): Promise<Inside> {
  if ((await realpath(root)) !== root) throw new OutsideRoot('its folder has become a link');
  return insideOf(root);
}

async function insideOf(root: string, boundary = 'the configured folder'): Promise<Inside> {
  const realRoot = await realpath(root);
  const below = realRoot.endsWith(path.sep) ? realRoot : realRoot + path.sep;
  return async (file, what) => {
    const real = await realpath(file);
    if (real !== realRoot && !real.startsWith(below)) {
      throw new OutsideRoot(`${what} leads out of ${boundary}`);
    }
    return real;
  };
}

/** Bytes of the objects below; every symbolic link must stay within its boundary. */
async function checkLinks(folder: string, what: string, inside: Inside): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isSymbolicLink()) {
      if (await exists(file)) await inside(file, what);
    } else if (entry.isDirectory()) bytes += await checkLinks(file, what, inside);
    // Packs, and loose objects by the length of their names.
    else if (entry.name.endsWith('.pack') || entry.name.length === 38 || entry.name.length === 62) {
      bytes += await fileBytes(file);
    }
  }
  return bytes;
}

async function followGitFile(gitDir: string): Promise<string> {
  if ((await stat(gitDir)).isDirectory()) return gitDir;
  const text = await textOf(gitDir, 'its .git file');
  const target = withoutLineEnds(text.slice('gitdir: '.length));
  if (!text.startsWith('gitdir: ') || target === '') {
    throw new Error('neither a git directory nor a file that names one');
  }
  return path.resolve(path.dirname(gitDir), target);
}

async function commonDirOf(gitDir: string): Promise<string> {
  const file = path.join(gitDir, 'commondir');
  if (!(await exists(file))) return gitDir;
  return path.resolve(gitDir, withoutLineEnds(await textOf(file, 'its commondir file')));
}

async function alternatesOf(objectDirectory: string): Promise<string[]> {
  const file = path.join(objectDirectory, 'info', 'alternates');
  if (!(await exists(file))) return [];
  const lines = (await textOf(file, 'its alternates file'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    if (line.startsWith('"')) throw new OutsideRoot('its alternates file quotes a path, which is not read');
    return path.resolve(objectDirectory, line);
  });
}

/** As git strips them (get_common_dir_noenv in setup.c, read_gitfile_gently): another reading would check another place. */
function withoutLineEnds(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end -= 1;
  return text.slice(0, end);
}

const textBytesMax = 64 * 1024;

/** A small file of paths. What is no plain text file could be read in another way than git reads it, or never end. */
async function textOf(file: string, what: string): Promise<string> {
  if (!(await stat(file)).isFile()) throw new OutsideRoot(`${what} is no plain file`);
  const opened = await open(file);
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(textBytesMax + 1), 0, textBytesMax + 1, 0);
    const bytes = buffer.subarray(0, bytesRead);
    if (bytesRead > textBytesMax) throw new OutsideRoot(`${what} is longer than any path`);
    if (!isUtf8(bytes) || bytes.includes(0)) throw new OutsideRoot(`${what} holds what is no UTF-8 text`);
    return bytes.toString('utf8');
  } finally {
    await opened.close();
  }
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

async function fileBytes(file: string): Promise<number> {
  return stat(file).then(
    (found) => found.size,
    () => 0,
  );
}

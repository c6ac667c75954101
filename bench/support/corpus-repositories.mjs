import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

export const TEXT_SIZE_MAX = 1_048_576;

/** The bare repositories of a corpus folder, OWNER/NAME.git, in the order of their names. */
export function corpusRepositories(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((owner) => owner.isDirectory())
    .flatMap((owner) => readdirSync(path.join(folder, owner.name)).map((name) => path.join(owner.name, name)))
    .filter((name) => name.endsWith('.git') && existsSync(path.join(folder, name, 'HEAD')))
    .sort()
    .map((name) => ({ name: name.slice(0, -'.git'.length), gitDir: path.join(folder, name) }));
}

/** Path and object id of each file at HEAD, links and submodules left out. */
export function filesAtHead(gitDir) {
  return execFileSync('git', [`--git-dir=${gitDir}`, 'ls-tree', '-r', '-z', 'HEAD'], { maxBuffer: 1 << 30 })
    .toString()
    .split('\0')
    .filter((row) => row.startsWith('100'))
    .map((row) => ({ path: row.slice(row.indexOf('\t') + 1), objectId: row.split(/[ \t]/, 3)[2] }));
}

/**
 * The text blobs among `objectIds`, as {objectId, content}, one after the other: what every engine of a bench indexes alike.
 * Left out are blobs over 1 MiB, those with a NUL among their first bytes, and those whose objects are missing.
 */
export async function* textBlobs(gitDir, objectIds) {
  const unique = [...new Set(objectIds)];
  const sizes = execFileSync('git', [`--git-dir=${gitDir}`, 'cat-file', '--batch-check', '--buffer'], {
    input: `${unique.join('\n')}\n`,
    maxBuffer: 1 << 30,
  });
  const wanted = sizes
    .toString()
    .split('\n')
    .filter((row) => / blob \d+$/.test(row) && Number(row.slice(row.lastIndexOf(' '))) <= TEXT_SIZE_MAX)
    .map((row) => row.slice(0, row.indexOf(' ')));
  const git = spawn('git', [`--git-dir=${gitDir}`, 'cat-file', '--batch', '--buffer'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  git.stdin.end(wanted.map((id) => `${id}\n`).join(''));
  let rest = Buffer.alloc(0);
  for await (const piece of git.stdout) {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let at = 0;
    for (;;) {
      const headEnd = rest.indexOf(10, at);
      if (headEnd < 0) break;
      const [objectId, , size] = rest.toString('latin1', at, headEnd).split(' ');
      const end = headEnd + 1 + Number(size);
      if (rest.length < end + 1) break;
      const content = rest.subarray(headEnd + 1, end);
      if (!content.subarray(0, 8000).includes(0)) yield { objectId, content };
      at = end + 1;
    }
    rest = rest.subarray(at);
  }
}

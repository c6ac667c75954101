import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/** A bare repository with one commit of these files: [{path, content}]. */
export function writeRepository(gitDir, files) {
  mkdirSync(gitDir, { recursive: true });
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', gitDir]);
  const parts = [];
  files.forEach(({ content }, at) => {
    parts.push(Buffer.from(`blob\nmark :${at + 1}\ndata ${content.length}\n`), content, Buffer.from('\n'));
  });
  parts.push(
    Buffer.from(
      'commit refs/heads/main\ncommitter bench <bench@example.org> 1700000000 +0000\ndata 5\nbench\n',
    ),
  );
  files.forEach(({ path }, at) => {
    parts.push(Buffer.from(`M 100644 :${at + 1} ${JSON.stringify(path)}\n`));
  });
  execFileSync('git', [`--git-dir=${gitDir}`, 'fast-import', '--quiet'], { input: Buffer.concat(parts) });
}

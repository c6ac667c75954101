import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleForNode } from './run-typescript.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'periscope-bundle-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a TypeScript entry runs under plain node, with its packages and the files beside its modules', async () => {
  await writeFile(path.join(folder, 'beside.txt'), 'from beside');
  await writeFile(
    path.join(folder, 'part.ts'),
    `import { readFileSync } from 'node:fs';
     export const beside: string = readFileSync(new URL('./beside.txt', import.meta.url), 'utf8');`,
  );
  const entry = path.join(folder, 'entry.ts');
  await writeFile(
    entry,
    `import { z } from 'zod';
     import { beside } from './part.ts';
     interface Said { text: string }
     const said: Said = { text: z.string().parse(beside) };
     console.log(said.text, process.argv[2]);`,
  );

  const { stdout } = await promisify(execFile)(process.execPath, [await bundleForNode(entry), 'argument']);

  expect(stdout).toBe('from beside argument\n');
});

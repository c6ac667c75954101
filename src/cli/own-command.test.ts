import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownCommand, shellWords } from './own-command.ts';

let root: string;
let program: string;
beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'periscope-command-'));
  program = path.join(root, 'main.js');
  writeFileSync(program, '');
  for (const folder of ['linked', 'node_modules/.bin', 'other'])
    mkdirSync(path.join(root, folder), { recursive: true });
  symlinkSync(program, path.join(root, 'linked/periscope'));
  symlinkSync(program, path.join(root, 'node_modules/.bin/periscope'));
  writeFileSync(path.join(root, 'other/periscope'), '#!/bin/sh\n');
  chmodSync(path.join(root, 'other/periscope'), 0o755);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const check = (name: string, folders: string[], expected: () => string[]) =>
  it(name, () => {
    const PATH = folders.map((folder) => path.join(root, folder)).join(path.delimiter);
    expect(ownCommand({ PATH }, program)).toEqual(expected());
  });
const absolute = () => [process.execPath, program];

check('a linked program is called by its name', ['other', 'linked'], () => ['periscope']);
check('without a link by its place', [], absolute);
check('a program of the same name is not taken for this one', ['other'], absolute);
check('what npm puts on PATH for one command is not counted on', ['node_modules/.bin'], absolute);

it('words that the shell would take apart are quoted', () => {
  expect(shellWords(['/a b/node', "it's", 'up'])).toBe("'/a b/node' 'it'\\''s' up");
});

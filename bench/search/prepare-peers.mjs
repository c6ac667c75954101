/**
 * Fills a folder with what the peers of beside-zoekt.mjs search, from one corpus of bare repositories (OWNER/NAME.git), and tells what each
 * took: wall time, CPU time with that of its children, the largest resident memory of one process, and the size on disk as a share of the
 * text. Arguments: the corpus and the folder, which receives tree (plain files, for ripgrep), zoekt, zoekt-ctags and csearch; what is
 * there already is kept. Programs that are not on the PATH are left out. BENCH_STEPS: only these (tree,zoekt,zoekt-ctags,csearch).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import {
  corpusRepositories,
  filesAtHead,
  TEXT_SIZE_MAX,
  textBlobs,
} from '../support/corpus-repositories.mjs';

const [corpus, folder] = process.argv.slice(2).map((argument) => path.resolve(argument));
if (folder === undefined) {
  console.error('Usage: node bench/search/prepare-peers.mjs CORPUS PEERS_FOLDER');
  process.exit(2);
}
const repositories = corpusRepositories(corpus);
const zoekt = [
  ...['zoekt-git-index', '-repo_cache', corpus, '-file_limit', String(TEXT_SIZE_MAX), '-incremental=false'],
];
const gitDirs = repositories.map(({ gitDir }) => gitDir);
const at = (name) => path.join(folder, name);
const steps = {
  tree: [process.execPath, path.resolve(import.meta.dirname, '../peers/export-tree.mjs'), corpus, at('tree')],
  zoekt: [...zoekt, '-disable_ctags', '-index', at('zoekt'), ...gitDirs],
  'zoekt-ctags': [...zoekt, '-require_ctags', '-index', at('zoekt-ctags'), ...gitDirs],
  csearch: ['cindex', '-reset', at('tree')],
};
const wanted = process.env['BENCH_STEPS']?.split(',') ?? Object.keys(steps);

const textBytes = await uniqueTextBytes();
console.log(`${repositories.length} repositories, ${(textBytes / 1e6).toFixed(1)} MB of unique text at HEAD`);
console.log('step | wall s | CPU s | peak MB | MB on disk | share of the text | load before');
mkdirSync(folder, { recursive: true });
for (const name of wanted) {
  if (existsSync(at(name))) {
    console.log(`${name} | kept | | | ${(sizeOf(at(name)) / 1e6).toFixed(0)}`);
    continue;
  }
  mkdirSync(at(name));
  const [load] = loadavg();
  const { wallS, cpuS, peakMb, failure } = measuredRun(steps[name], {
    CSEARCHINDEX: path.join(at('csearch'), 'index'),
    CTAGS_COMMAND: process.env['CTAGS_COMMAND'] ?? 'ctags',
  });
  if (failure) {
    console.log(`${name} | failed: ${failure}`);
    continue;
  }
  const size = sizeOf(at(name));
  console.log(
    [
      name,
      ...[wallS, cpuS, peakMb].map((figure) => figure.toFixed(1)),
      (size / 1e6).toFixed(0),
      (size / textBytes).toFixed(3),
      load.toFixed(1),
    ].join(' | '),
  );
}

/** By GNU time, which alone tells the memory. */
function measuredRun(command, env) {
  const { status, stderr, error } = spawnSync('/usr/bin/time', ['-f', '%e %U %S %M', ...command], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  const lines = (stderr ?? '').trimEnd().split('\n');
  if (error || status !== 0) return { failure: error?.message ?? lines.slice(-3).join(' ') };
  const [wallS, userS, systemS, peakKb] = lines.pop().split(' ').map(Number);
  return { wallS, cpuS: userS + systemS, peakMb: peakKb / 1024 };
}

function sizeOf(place) {
  const stat = lstatSync(place);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(place).reduce((sum, name) => sum + sizeOf(path.join(place, name)), 0);
}

async function uniqueTextBytes() {
  const seen = new Set();
  let bytes = 0;
  for (const { gitDir } of repositories) {
    const objectIds = filesAtHead(gitDir).map(({ objectId }) => objectId);
    for await (const { objectId, content } of textBlobs(gitDir, objectIds)) {
      if (!seen.has(objectId)) bytes += content.length;
      seen.add(objectId);
    }
  }
  return bytes;
}

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { commandPeer } from '../peers/command-peer.mjs';
import { csearchArguments, ripgrepArguments, zoektQuery } from '../peers/peer-queries.mjs';
import { startPeerProcess } from '../support/peer-process.mjs';

const webserverLines = path.resolve(import.meta.dirname, '../peers/zoekt-webserver-lines.mjs');

/**
 * The engines that can be asked here, by name. `folder` has been filled by prepare-peers.mjs. Each has {name, indexFolder?, open()}, and what
 * open() gives is asked by `ask({i, list, query, files, exact, names})` and closed.
 * Ours is the command line BENCH_OURS, which answers such requests as JSON lines (support/peer-process.mjs); BENCH_OURS_INDEX is its folder.
 * zoekt runs inside `zoekt-lines` where that is on the PATH (BENCH_ZOEKT_LINES names another): a program that answers what
 * peers/zoekt-webserver-lines.mjs answers, but searches in its own process through zoekt's Go interface and tells its CPU time. Else it
 * is a zoekt-webserver.
 */
export function enginesAt(folder) {
  const engines = [];
  const ours = process.env['BENCH_OURS'];
  if (ours) {
    engines.push({
      name: 'ours',
      indexFolder: process.env['BENCH_OURS_INDEX'],
      open: () => startPeerProcess({ command: ours.split(' ') }),
    });
  }
  const zoektIndex = path.join(folder, 'zoekt');
  const zoekt = zoektCommand();
  if (zoekt && existsSync(zoektIndex)) {
    // A file of at least so many bytes is matched by RE2 and any other by Go's engine; -1, zoekt's default, never takes RE2.
    engines.push(zoektEngine('zoekt', [...zoekt, zoektIndex], zoektIndex, '-1'));
    engines.push(zoektEngine('zoekt-re2', [...zoekt, zoektIndex], zoektIndex, '0'));
  }
  const tree = path.resolve(folder, 'tree');
  if (isOnPath('rg', '--version') && existsSync(tree)) {
    engines.push({
      name: 'ripgrep',
      open: async () => commandPeer({ program: 'rg', argumentsOf: ripgrepArguments, cwd: tree }),
    });
  }
  const csearchIndex = path.resolve(folder, 'csearch/index');
  if (isOnPath('csearch', '-help') && existsSync(csearchIndex)) {
    engines.push({
      name: 'csearch',
      indexFolder: path.dirname(csearchIndex),
      open: async () =>
        commandPeer({
          program: 'csearch',
          argumentsOf: (query) => csearchArguments(query, tree),
          cwd: tree,
          env: { CSEARCHINDEX: csearchIndex },
        }),
    });
  }
  const wanted = process.env['BENCH_PEERS']?.split(',');
  return engines.filter(({ name }) => name === 'ours' || (wanted?.includes(name) ?? true));
}

/** A zoekt over one index folder, where both are here. */
export function zoektAt(name, indexFolder) {
  const command = zoektCommand();
  return command && existsSync(indexFolder)
    ? zoektEngine(name, [...command, indexFolder], indexFolder, '-1')
    : undefined;
}

/** Takes an index out of the page cache, as far as no process has it mapped. */
export function forgetPages(indexFolder) {
  for (const entry of readdirSync(indexFolder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile())
      execFileSync('dd', [`if=${path.join(entry.parentPath, entry.name)}`, 'iflag=nocache', 'count=0'], {
        stdio: 'ignore',
      });
  }
}

function zoektEngine(name, command, indexFolder, threshold) {
  return {
    name,
    indexFolder,
    async open() {
      const running = await startPeerProcess({
        command,
        env: { ZOEKT_RE2_THRESHOLD_BYTES: threshold },
      });
      return {
        ...running,
        ask: ({ query, q = zoektQuery(query), files = 30, exact = false, names = false }) =>
          running.ask({
            q,
            num: files,
            limits: exact ? 'none' : (process.env['BENCH_LIMITS'] ?? 'api'),
            names,
          }),
      };
    },
  };
}

function zoektCommand() {
  const lines = process.env['BENCH_ZOEKT_LINES'] ?? 'zoekt-lines';
  if (isOnPath(lines)) return [lines];
  return isOnPath('zoekt-webserver', '-version') ? [process.execPath, webserverLines] : undefined;
}

function isOnPath(program, ...args) {
  return spawnSync(program, args, { stdio: 'ignore' }).error === undefined;
}

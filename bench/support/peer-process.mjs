import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * Starts a search engine that answers JSON lines: one request a line on its stdin, one answer a line on its stdout, told apart by `id`
 * where several are asked at once. Its first line says that its index is open; everything on it is `ready`. An answer has
 * {ms, cpuMs, files, filesFound, matches, atLeast, names?, error?}, measured by the engine itself: `ms` is the wall time of the search and
 * `cpuMs` the CPU time that its whole process took meanwhile, null where it cannot tell.
 */
export async function startPeerProcess({ command, env = {} }) {
  const child = spawn(command[0], command.slice(1), {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const waiting = new Map();
  let nextId = 0;
  let opened;
  const ready = new Promise((resolve, reject) => {
    opened = { resolve, reject };
  });
  const ended = new Promise((resolve) => {
    const end = (reason) => {
      const error = new Error(`${command.join(' ')} ${reason}`);
      opened.reject(error);
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
      resolve();
    };
    child.on('error', ({ message }) => end(`did not start: ${message}`));
    child.on('close', (code, signal) => end(`ended (${signal ?? code})`));
  });
  // A peer that has ended refuses what is written to it; `end` tells of it.
  child.stdin.on('error', () => {});
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line);
    if (answer.ready) opened.resolve(answer);
    else {
      waiting.get(answer.id)?.resolve(answer);
      waiting.delete(answer.id);
    }
  });
  return {
    ready: await ready,
    ask(request) {
      const id = nextId++;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        child.stdin.write(`${JSON.stringify({ id, ...request })}\n`);
      });
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

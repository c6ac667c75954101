import { execFile } from 'node:child_process';

/**
 * A search program that is started for each query and prints `path:lines` per file, such as `rg --count` and `csearch -c`, in the form
 * that startPeerProcess gives. Its time contains its start, a few milliseconds; its CPU time is the shell's figure for it.
 */
export function commandPeer({ program, argumentsOf, cwd, env = {} }) {
  return {
    ready: { ready: true },
    ask({ query, names = false }) {
      const shell = ['-c', 'TIMEFORMAT=\'%R %U %S\'; time "$@"', 'bash', program, ...argumentsOf(query)];
      return new Promise((resolve) => {
        execFile(
          'bash',
          shell,
          { cwd, env: { ...process.env, ...env, LC_ALL: 'C' }, maxBuffer: 1 << 30 },
          (failure, stdout, stderr) => {
            const lines = stderr.trimEnd().split('\n');
            const [wall, user, system] = lines.pop().split(' ').map(Number);
            const files = stdout.split('\n').filter((line) => line !== '');
            // Their exit code 1 means that nothing was found.
            const error = failure && failure.code !== 1 ? lines.join(' ') || failure.message : undefined;
            resolve({
              ms: wall * 1000,
              cpuMs: (user + system) * 1000,
              files: files.length,
              filesFound: files.length,
              matches: files.reduce((sum, file) => sum + Number(file.slice(file.lastIndexOf(':') + 1)), 0),
              atLeast: false,
              ...(names && { names: files.map((file) => file.slice(0, file.lastIndexOf(':'))) }),
              ...(error && { error }),
            });
          },
        );
      });
    },
    async close() {},
  };
}

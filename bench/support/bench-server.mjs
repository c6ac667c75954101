import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { built } from './built.mjs';

const { createApp } = await built('app');
const { loadConfig } = await built('config');

/** A whole Periscope of the built code, serving `folders` from a temporary data folder. */
export async function startBenchServer(folders) {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'periscope-bench-'));
  const config = await loadConfig({
    env: {},
    cwd: process.cwd(),
    homeFolder: homedir(),
    overrides: { dataFolder, folders, listenPort: 0, logLevel: 'warn' },
  });
  const app = await createApp(config, { discoverAtStart: true, background: false });
  const { url } = await app.serve();
  const { token } = await app.tokens.create(
    {
      label: 'bench',
      subject: { kind: 'person', name: 'operator' },
      groups: [],
      scopes: ['read'],
      destination: 'local',
      expiresMs: null,
    },
    app.localCaller(),
  );
  return {
    app,
    url,
    token,
    async stop() {
      await app.close();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

/** Up to `count` text files spread over every repository, as places to read: drawn by a fixed step, so that two runs draw the same. */
export async function drawFiles(app, caller, count) {
  const places = [];
  const repositories = app.catalog.repositories();
  for (const repository of repositories) {
    const { result } = await app.operations.handle(
      {
        name: 'list_directory',
        input: {
          repo: repository.name,
          file: ['*.{ts,js,py,go,rs,c,h,java,rb,md}'],
          depth: 30,
          max_tokens: 25_000,
        },
      },
      caller,
    );
    const files = result.entries.filter(({ sizeBytes }) => sizeBytes > 0 && sizeBytes < 200_000);
    const wanted = Math.ceil(count / repositories.length);
    const step = Math.max(1, Math.floor(files.length / wanted));
    for (let at = 0; at < files.length; at += step)
      places.push({ repo: repository.name, path: files[at].path });
  }
  // With fewer the same place would come twice in a row, and the guards would answer instead of the reader.
  if (places.length < 4) throw new Error('the folders hold too few source files to measure reads');
  return places.slice(0, count);
}

import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Fetch } from '../zoekt-client.ts';
import { isZoektInstalled, startZoekt, type ZoektFixture } from './zoekt-server.ts';

/** Servers by the name in their URL, `http://NAME`: real ones where zoekt is on the PATH, else what those answered once. */
export interface TestedServers {
  fetch: Fetch;
  isReal: boolean;
  stop(): Promise<void>;
}

type Recording = Record<string, { status: number; body: string }>;

/** PERISCOPE_RECORD_ZOEKT=1 writes down what the real ones answer, in the file of that name beside this file. */
export async function testedServers(
  fixtures: Record<string, ZoektFixture>,
  recordingName = 'recorded-zoekt.json.gz',
): Promise<TestedServers> {
  const file = new URL(recordingName, import.meta.url);
  if (!isZoektInstalled()) {
    console.log('The zoekt engine is tested by recorded answers: there is no zoekt-webserver on the PATH.');
    const recording = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Recording;
    return {
      isReal: false,
      async stop() {},
      async fetch(url, init) {
        const answer = recording[keyOf(url, init)];
        if (!answer) throw new Error(`nothing is recorded for ${keyOf(url, init)}`);
        return new Response(answer.body, { status: answer.status });
      },
    };
  }
  const names = Object.keys(fixtures);
  const servers = await Promise.all(Object.values(fixtures).map(startZoekt));
  const recording: Recording = {};
  return {
    isReal: true,
    async fetch(url, init) {
      const { host, pathname } = new URL(url);
      const response = await fetch(`${servers[names.indexOf(host)]!.url}${pathname}`, init);
      const body = await response.text();
      recording[keyOf(url, init)] = { status: response.status, body: withoutFolders(body) };
      return new Response(body, { status: response.status });
    },
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
      if (process.env['PERISCOPE_RECORD_ZOEKT'])
        writeFileSync(file, gzipSync(JSON.stringify(recording), { level: 9 }));
    },
  };
}

function keyOf(url: string, init: RequestInit): string {
  return `${url} ${String(init.body)}`;
}

function withoutFolders(body: string): string {
  return body.replaceAll(/"Source":"[^"]*\/mirrors\//g, '"Source":"/mirrors/').trim();
}

import { connect } from 'node:net';
import type { Discovery } from '../app/index.ts';
import type { Config } from '../config/index.ts';
import type { ErrorJson } from '../contract/index.ts';
import type { AboutServer } from '../http/index.ts';
import { errorOf } from './server-client.ts';

/** The server that runs on this machine's data folder, asked as the operator. */
export interface RunningServer {
  about(): Promise<AboutServer>;
  discover(): Promise<Discovery>;
}

/** Null when none runs. */
export async function runningServer(config: Config): Promise<RunningServer | null> {
  const socketPath = config.dataFolder.socket;
  if (!(await isListening(socketPath))) return null;
  const { Client } = await import('undici');
  const ask = async <T>(method: 'GET' | 'POST', path: string): Promise<T> => {
    // Discovery takes as long as the slowest host may: the server bounds it.
    const client = new Client('http://localhost', { socketPath, headersTimeout: 0 });
    try {
      const { statusCode, body } = await client.request({ method, path });
      const answer = (await body.json()) as T | ErrorJson;
      if (statusCode >= 400) throw errorOf(answer as ErrorJson);
      return answer as T;
    } finally {
      await client.close();
    }
  };
  return {
    about: () => ask('GET', '/local/server'),
    discover: () => ask('POST', '/local/discover'),
  };
}

export async function isListening(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

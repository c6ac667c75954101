import { chmod, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { addressInUse, cannotListen, socketPathTooLong } from './errors.ts';
import { createHttpApp } from './http-app.ts';
import type { HttpDeps, HttpOptions, HttpServer, SocketServer, SocketServerOptions } from './types.ts';

/** What every system takes. A longer path would silently be cut, and the socket would lie elsewhere. */
const socketPathBytesMax = 103;

/** Listens on TCP: nobody is served without a token. */
export function createHttpServer(options: HttpOptions, deps: HttpDeps): HttpServer {
  const app = createHttpApp({ listener: 'tcp', ...options }, deps);
  return {
    async listen() {
      const { host } = options;
      await listening(`${host}:${options.port}`, () => app.fastify.listen({ host, port: options.port }));
      const { port } = app.fastify.server.address() as { port: number };
      return { url: options.publicUrl ?? `http://${urlHost(host)}:${port}`, port };
    },
    close: () => app.close(),
  };
}

/** Listens on a unix socket that only the operator's account can open; who comes without a token is the operator. */
export function createSocketServer(options: SocketServerOptions, deps: HttpDeps): SocketServer {
  const app = createHttpApp({ listener: 'socket', ...options }, deps);
  return {
    async listen() {
      const { path } = options;
      if (Buffer.byteLength(path) > socketPathBytesMax) throw socketPathTooLong(path, socketPathBytesMax);
      if (await isAlive(path)) throw addressInUse(path);
      await rm(path, { force: true });
      await app.fastify.ready();
      // The socket must not be there with wider rights even for a moment; what else is made meanwhile is only kept closer.
      const umask = process.umask(0o077);
      try {
        await listening(path, () => app.fastify.listen({ path }));
      } finally {
        process.umask(umask);
      }
      await chmod(path, 0o600);
    },
    close: () => app.close(),
  };
}

async function listening(address: string, listen: () => Promise<string>): Promise<void> {
  try {
    await listen();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if ('code' in error && error.code === 'EADDRINUSE') throw addressInUse(address);
    throw cannotListen(address, error);
  }
}

/** Whether somebody answers at the socket; the file of a killed server is still there, but nobody is behind it. */
function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

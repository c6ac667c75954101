import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { fixtureEnvironment } from './git-fixture.ts';

/** How the server misbehaves from now on; null is a good server. */
export type ServerFault =
  /** Accepts and never answers. */
  | { kind: 'silent' }
  /** A good head, then a byte now and then, for ever. */
  | { kind: 'trickle' }
  /** 200 without a body: a proxy, a maintenance page. */
  | { kind: 'empty' }
  | { kind: 'status'; status: number }
  /** 302 to the same path below another address. */
  | { kind: 'redirect'; to: string }
  /** References are told, and the connection breaks within the pack. */
  | { kind: 'vanish' }
  /** References are told, and the pack never comes. */
  | { kind: 'silent-pack' };

export interface SeenRequest {
  method: string;
  url: string;
  authorization: string | null;
}

export interface GitHttpServer {
  /** `http://127.0.0.1:port`; a repository in `folder/a.git` is at `${url}/a.git`. */
  readonly url: string;
  readonly requests: SeenRequest[];
  fault: ServerFault | null;
  /** Changed while running, as when a token is rotated. */
  credentials: { username: string; password: string } | null;
  close(): Promise<void>;
}

/** Git's own `http-backend` behind a real socket, for the repositories below `folder`. */
export async function startGitHttpServer(options: {
  folder: string;
  credentials?: { username: string; password: string };
  allowPush?: boolean;
}): Promise<GitHttpServer> {
  const backend = path.join(execFileSync('git', ['--exec-path']).toString().trim(), 'git-http-backend');
  const sockets = new Set<Socket>();
  const children = new Set<ChildProcess>();
  const timers = new Set<NodeJS.Timeout>();
  const requests: SeenRequest[] = [];

  const server = createServer((request, response) => {
    requests.push({
      method: request.method ?? '',
      url: request.url ?? '',
      authorization: request.headers.authorization ?? null,
    });
    response.on('error', () => {});
    const isPack = request.method === 'POST' && (request.url ?? '').endsWith('/git-upload-pack');
    const { fault } = handle;
    if (fault?.kind === 'silent') return;
    if (fault?.kind === 'trickle') return trickle(response);
    if (fault?.kind === 'empty') return void response.writeHead(200).end();
    if (fault?.kind === 'status') return void response.writeHead(fault.status).end('fault\n');
    if (fault?.kind === 'redirect') {
      return void response.writeHead(302, { location: `${fault.to}${request.url}` }).end();
    }
    if (!authorised(request)) {
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end('who?\n');
    }
    void serve(request, response, isPack ? fault : null);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const handle: GitHttpServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    fault: null,
    credentials: options.credentials ?? null,
    async close() {
      for (const timer of timers) clearInterval(timer);
      for (const child of children) child.kill('SIGKILL');
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return handle;

  function authorised(request: IncomingMessage): boolean {
    if (handle.credentials === null) return true;
    const { username, password } = handle.credentials;
    const wanted = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    return request.headers.authorization === wanted;
  }

  function trickle(response: ServerResponse) {
    response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
    const timer = setInterval(() => response.write('0'), 50);
    timers.add(timer);
    response.on('close', () => clearInterval(timer));
  }

  async function serve(request: IncomingMessage, response: ServerResponse, fault: ServerFault | null) {
    const body = await bodyOf(request);
    // In protocol v2 the references are asked by POST too; only the pack itself is spoilt.
    const spoilt = body.includes('command=fetch') ? fault : null;
    if (spoilt?.kind === 'silent-pack') return;
    const url = new URL(request.url ?? '/', 'http://server');
    const child = spawn(backend, [], {
      env: {
        ...fixtureEnvironment(),
        GIT_PROJECT_ROOT: options.folder,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'http.receivepack',
        GIT_CONFIG_VALUE_0: String(options.allowPush ?? false),
        REQUEST_METHOD: request.method ?? 'GET',
        PATH_INFO: decodeURIComponent(url.pathname),
        QUERY_STRING: url.search.slice(1),
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        CONTENT_LENGTH: String(body.length),
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        REMOTE_USER: 'someone',
        REMOTE_ADDR: '127.0.0.1',
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    children.add(child);
    child.on('close', () => children.delete(child));
    child.stdin.on('error', () => {});
    child.stdin.end(body);
    let head: Buffer | null = Buffer.alloc(0);
    let sent = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      if (head === null) return send(chunk);
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const rest = head.subarray(end + 4);
      writeHead(response, head.toString('latin1', 0, end));
      head = null;
      send(rest);
    });
    child.stdout.on('end', () => response.end());

    function send(chunk: Buffer) {
      if (spoilt?.kind === 'vanish') {
        if (sent === 0) response.write(chunk.subarray(0, Math.max(1, chunk.length >> 1)));
        sent += chunk.length;
        setImmediate(() => request.socket.destroy());
        return;
      }
      response.write(chunk);
    }
  }
}

function writeHead(response: ServerResponse, head: string) {
  let status = 200;
  for (const line of head.split('\r\n')) {
    const [name, value] = [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()];
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.writeHead(status);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts);
  if (request.headers['content-encoding'] !== 'gzip') return body;
  return gunzipSync(body);
}

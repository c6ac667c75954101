import type { FastifyReply } from 'fastify';

export interface EventStreams {
  /** Sends server-sent events until they end, the client leaves, `recheck` fails or `endAll` is called. */
  send(reply: FastifyReply, wanted: EventAnswer): Promise<void>;
  endAll(): void;
}

export interface EventAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  events: ReadableStream<Uint8Array>;
  /** Fails when the asker may no longer listen. */
  recheck(): Promise<unknown>;
}

export function createEventStreams(recheckMs: number): EventStreams {
  const open = new Set<() => void>();
  return {
    async send(reply, { status, headers, events, recheck }) {
      reply.hijack();
      const { raw } = reply;
      // Proxies hold back what they may buffer, and an event that comes late is no event.
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) raw.setHeader(name, value);
      }
      raw.writeHead(status, { ...headers, 'x-accel-buffering': 'no' });
      raw.flushHeaders();
      const reader = events.getReader();
      // Cancelling tells the source, which aborts the call that feeds it.
      const end = () => void reader.cancel().catch(() => {});
      raw.once('close', end);
      if (raw.destroyed) end();
      open.add(end);
      const timer = setInterval(() => void recheck().catch(end), recheckMs);
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) break;
          if (!raw.write(value) && !raw.destroyed) await drained(raw);
        }
        raw.end();
      } catch {
        // The source broke off: a half-told stream must not look finished.
        raw.destroy();
      } finally {
        clearInterval(timer);
        open.delete(end);
      }
    },
    endAll() {
      for (const end of open) end();
    },
  };
}

function drained(raw: FastifyReply['raw']): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      raw.off('drain', done);
      raw.off('close', done);
      resolve();
    };
    raw.once('drain', done);
    raw.once('close', done);
  });
}

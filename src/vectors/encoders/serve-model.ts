import type { MessagePort } from 'node:worker_threads';
import { PeriscopeError } from '../../base/errors.ts';
import type { ModelReply } from './model-messages.ts';

/** Answers the requests of a model's thread one after the other. The model is loaded with the first, and anew after a fault. */
export function serveModel<Request, Model>(
  port: MessagePort,
  load: () => Promise<Model>,
  run: (model: Model, request: Request) => Promise<Float32Array>,
): void {
  let loading: Promise<Model> | undefined;
  let last = Promise.resolve();
  port.on('message', (request: Request) => {
    last = last.then(async () => {
      const reply = await replyTo(request);
      port.postMessage(reply, reply.ok ? [reply.numbers.buffer as ArrayBuffer] : []);
    });
  });

  async function replyTo(request: Request): Promise<ModelReply> {
    try {
      loading ??= load();
      return { ok: true, numbers: await run(await loading, request) };
    } catch (fault) {
      loading = undefined;
      if (!(fault instanceof PeriscopeError)) return { ok: false, what: String(fault), fault: null };
      const { kind, code, message, next } = fault;
      return { ok: false, what: message, fault: { kind, code, message, next } };
    }
  }
}

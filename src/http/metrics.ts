import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { asPeriscopeError } from '../base/errors.ts';
import type { HttpMetrics, InjectedMetric } from './types.ts';

const secondsBuckets = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** A registry of its own: nothing is counted in a global one. Labels come from closed lists, so that no asker can fill the memory. */
export function createHttpMetrics(injected: readonly InjectedMetric[]): HttpMetrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: 'periscope_http_request_seconds',
    help: 'HTTP requests by route and status: from the request line to the end of the answer.',
    labelNames: ['route', 'method', 'status'],
    buckets: secondsBuckets,
    registers,
  });
  const calls = new Histogram({
    name: 'periscope_tool_call_seconds',
    help: 'Calls by tool and outcome: found, empty, or the kind of the error.',
    labelNames: ['tool', 'outcome'],
    buckets: secondsBuckets,
    registers,
  });
  const loop = monitorEventLoopDelay({ resolution: 20 });
  loop.enable();
  new Gauge({
    name: 'periscope_event_loop_delay_seconds',
    help: 'Delay of the event loop since the last reading.',
    labelNames: ['quantile'],
    registers,
    collect() {
      this.set({ quantile: '0.5' }, loop.percentile(50) / 1e9);
      this.set({ quantile: '0.99' }, loop.percentile(99) / 1e9);
      this.set({ quantile: '1' }, loop.max / 1e9);
      loop.reset();
    },
  });
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of the process, user and system.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  for (const metric of injected) inject(metric, registers);

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    close: () => loop.disable(),

    countRequest: ({ route, method, status, seconds }) =>
      requests.observe({ route, method, status: String(status) }, seconds),

    counting: (operations) => ({
      list: () => operations.list(),
      knows: (name) => operations.knows(name),
      mentions: (query, caller, limit) => operations.mentions(query, caller, limit),
      expandMentions: (text, caller) => operations.expandMentions(text, caller),
      instructions: () => operations.instructions(),
      async handle(call, caller, listen) {
        const startMs = performance.now();
        const count = (tool: string, outcome: string) =>
          calls.observe({ tool, outcome }, (performance.now() - startMs) / 1000);
        try {
          const answer = await operations.handle(call, caller, listen);
          count(answer.tool, answer.found ? 'found' : 'empty');
          return answer;
        } catch (error) {
          // Only names of ours become labels: those that callers write would fill the memory.
          const isOurs = operations.list().some(({ name }) => name === call.name);
          count(isOurs ? call.name : 'unknown', asPeriscopeError(error).kind);
          throw error;
        }
      },
    }),
  };
}

function inject({ name, help, kind, read }: InjectedMetric, registers: Registry[]): void {
  if (kind === 'gauge') {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
    return;
  }
  new Counter({
    name,
    help,
    registers,
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

import { z } from 'zod';
import { count, duration, size } from '../quantity.ts';

export const httpPart = z
  .strictObject({
    listen: z
      .strictObject({
        host: z
          .string()
          .min(1)
          .max(255)
          .default('127.0.0.1')
          .describe(
            'Address to listen on. The default is reached from this machine alone; 0.0.0.0 is every address.',
          ),
        port: count(7117, { least: 0, most: 65_535 }).describe('Port to listen on. 0 takes a free one.'),
      })
      .prefault({})
      .describe('Where HTTP and MCP are served.'),
    publicUrl: z
      .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
      .transform((url) => url.replace(/\/+$/, ''))
      .optional()
      .describe(
        'How clients reach the server when a proxy stands before it, for example https://periscope.acme.example. Default: none, the listen address.',
      ),
    allowedHosts: z
      .array(z.string().min(1).max(255))
      .max(1000)
      .default([])
      .describe(
        'Host headers that are answered besides localhost, the listen address and the host of publicUrl.',
      ),
    allowedOrigins: z
      .array(z.string().min(1).max(255))
      .max(1000)
      .default([])
      .describe('Origins of web pages that may call, besides the server itself: https://tools.acme.example.'),
    bodySizeMax: size('1MiB', { least: '1KiB', most: '100MiB' }).describe('Largest request body.'),
    requestTimeout: duration('30s', { zero: true, least: '1s', most: '1h' }).describe(
      'How long a request may take to arrive whole. 0 waits for ever.',
    ),
    requestsInFlightMax: count(512, { most: 100_000 }).describe(
      'Requests in work at once, open event streams included; more are told to wait and call again.',
    ),
  })
  .prefault({});

export interface HttpConfig {
  listen: { host: string; port: number };
  /** Without a trailing slash. */
  publicUrl: string | null;
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
  bodyBytesMax: number;
  requestTimeoutMs: number;
  requestsInFlightMax: number;
}

export function httpConfig(written: z.output<typeof httpPart>): HttpConfig {
  return {
    listen: written.listen,
    publicUrl: written.publicUrl ?? null,
    allowedHosts: written.allowedHosts,
    allowedOrigins: written.allowedOrigins,
    bodyBytesMax: written.bodySizeMax,
    requestTimeoutMs: written.requestTimeout,
    requestsInFlightMax: written.requestsInFlightMax,
  };
}

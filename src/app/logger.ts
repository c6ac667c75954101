import { pino } from 'pino';
import type { Logger } from '../base/logger.ts';
import { maskSecrets } from './mask-secrets.ts';

export interface LoggerOptions {
  level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  format: 'json' | 'pretty';
}

/** Writes to standard error: under stdio transport standard output belongs to the protocol. Every text passes the mask. */
export function createLogger(
  { level, format }: LoggerOptions,
  stream: NodeJS.WritableStream = process.stderr,
): Logger {
  const write = format === 'json' ? jsonWriter(level, stream) : prettyWriter(level, stream);
  return {
    debug: (message, fields) => write('debug', message, fields),
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
  };
}

type Level = 'debug' | 'info' | 'warn' | 'error';
type Write = (level: Level, message: string, fields: Record<string, unknown> | undefined) => void;

function jsonWriter(level: LoggerOptions['level'], stream: NodeJS.WritableStream): Write {
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
  return (at, message, fields) => {
    if (log.isLevelEnabled(at)) log[at](masked(fields ?? {}), maskSecrets(message));
  };
}

function prettyWriter(level: LoggerOptions['level'], stream: NodeJS.WritableStream): Write {
  const order = ['debug', 'info', 'warn', 'error', 'silent'];
  return (at, message, fields) => {
    if (order.indexOf(at) < order.indexOf(level)) return;
    const rest = Object.entries(masked(fields ?? {})).map(([key, value]) => ` ${key}=${shown(value)}`);
    stream.write(`${at === 'info' ? '' : `${at}: `}${maskSecrets(message)}${rest.join('')}\n`);
  };
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function masked(fields: Record<string, unknown>): Record<string, unknown> {
  const plain = JSON.stringify(fields, (_key, value: unknown) =>
    value instanceof Error ? describe(value) : value,
  );
  return JSON.parse(maskSecrets(plain)) as Record<string, unknown>;
}

function describe(error: Error): Record<string, unknown> {
  return {
    message: error.message,
    stack: error.stack,
    ...(error.cause instanceof Error ? { cause: describe(error.cause) } : {}),
  };
}

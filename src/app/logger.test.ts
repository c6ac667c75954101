import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLogger } from './logger.ts';

const secrets = [
  `psc_${'a'.repeat(43)}`,
  `ghp_${'b'.repeat(36)}`,
  'Authorization: Bearer abc.def.ghi',
  'https://user:hunter2@git.example/a.git',
  'https://api.example/v1?key=s3cr3t&x=1',
];
const parts = ['aaaaaaaaaa', 'bbbbbbbbbb', 'abc.def.ghi', 'hunter2', 's3cr3t'];

describe('no credential reaches the log', () => {
  for (const format of ['json', 'pretty'] as const) {
    it(`in messages, fields, nested errors (${format})`, () => {
      const stream = new PassThrough();
      const log = createLogger({ level: 'debug', format }, stream);
      for (const secret of secrets) {
        log.info(`met ${secret}`, {
          secret,
          nested: { deep: [secret] },
          fault: new Error(secret, { cause: new Error(secret) }),
        });
      }
      const written = String(stream.read());
      expect(written).toContain('met');
      for (const part of parts) expect(written).not.toContain(part);
    });
  }

  it('below its level nothing is written', () => {
    const stream = new PassThrough();
    createLogger({ level: 'warn', format: 'json' }, stream).info('quiet');
    expect(stream.read()).toBeNull();
  });
});

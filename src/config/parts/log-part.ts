import { z } from 'zod';

export const logPart = z
  .strictObject({
    level: z
      .enum(['debug', 'info', 'warn', 'error'])
      .default('info')
      .describe('The least that is logged. Logs go to standard error, secrets masked.'),
    format: z
      .enum(['json', 'pretty'])
      .default('json')
      .describe('One JSON object a line, or lines for people.'),
  })
  .prefault({});

export type LogConfig = z.output<typeof logPart>;

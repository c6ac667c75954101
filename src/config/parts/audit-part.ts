import { z } from 'zod';
import { duration } from '../quantity.ts';

export const auditPart = z
  .strictObject({
    retention: duration('90d', { zero: true, least: '1d' }).describe(
      'How long the record of who asked what of which repositories is kept. 0 keeps it for ever.',
    ),
  })
  .prefault({});

export interface AuditConfig {
  retentionMs: number;
}

export function auditConfig(written: z.output<typeof auditPart>): AuditConfig {
  return { retentionMs: written.retention };
}

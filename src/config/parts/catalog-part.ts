import { z } from 'zod';
import { duration } from '../quantity.ts';

export const catalogPart = z
  .strictObject({
    discoveryInterval: duration('5m', { least: '1s', most: '7d' }).describe(
      'How often hosts are asked for their lists of repositories.',
    ),
    discoveryTimeout: duration('1m', { least: '1s', most: '1h' }).describe(
      "Wall-clock bound of asking one host; beyond it the host's last good list stays.",
    ),
  })
  .prefault({});

/** catalog's CatalogOptions. */
export interface CatalogConfig {
  discoveryIntervalMs: number;
  discoveryTimeoutMs: number;
}

export function catalogConfig(written: z.output<typeof catalogPart>): CatalogConfig {
  return { discoveryIntervalMs: written.discoveryInterval, discoveryTimeoutMs: written.discoveryTimeout };
}

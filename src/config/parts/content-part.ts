import { z } from 'zod';
import { size } from '../quantity.ts';

export const contentPart = z
  .strictObject({
    cacheSizeMax: size('64MiB', { zero: true, most: '64GiB' }).describe(
      'Memory for decoded files. 0 keeps none.',
    ),
    wholeSizeMax: size('8MiB', { least: '1KiB', most: '512MiB' }).describe(
      'Files above it are read in pages and never given whole.',
    ),
  })
  .prefault({});

/** content's ContentOptions. */
export interface ContentConfig {
  cacheBytesMax: number;
  wholeBytesMax: number;
}

export function contentConfig(written: z.output<typeof contentPart>): ContentConfig {
  return { cacheBytesMax: written.cacheSizeMax, wholeBytesMax: written.wholeSizeMax };
}

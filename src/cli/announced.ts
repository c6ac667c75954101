import { readFileSync } from 'node:fs';
import type { Role } from '../config/index.ts';
import type { OperationDescription } from '../operations/index.ts';

/** What the command line says of the product without loading it: a command starts in a fraction of the time that all tools take. */
export interface Announced {
  instructions: string;
  operations: readonly OperationDescription[];
  roles: readonly Role[];
}

/** Written by `npm run generate` from what the modules themselves say. */
export const announced = JSON.parse(
  readFileSync(new URL('./generated/announced.json', import.meta.url), 'utf8'),
) as Announced;

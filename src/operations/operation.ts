import type { z } from 'zod';
import type { Operation } from './types.ts';

/** Types an operation by its own schemas and stores it among the others. */
export function operation<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: Operation<Input, Output>,
): Operation {
  // The handler parses with `input` before it calls `run`, so the narrower context is what run gets.
  return definition as unknown as Operation;
}

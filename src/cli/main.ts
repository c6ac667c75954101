#!/usr/bin/env node
import { reportFailure } from './exit-codes.ts';
import { buildProgram } from './program.ts';

// `periscope grep foo | head` must end quietly when head has seen enough.
process.stdout.on('error', (fault: NodeJS.ErrnoException) => {
  if (fault.code === 'EPIPE') process.exit(0);
  throw fault;
});

try {
  await buildProgram().parseAsync();
} catch (fault) {
  reportFailure(fault, false);
}

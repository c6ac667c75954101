import { PeriscopeError } from '../../base/errors.ts';
import { silentLogger } from '../../base/logger.ts';
import { serveMcpStdio } from '../mcp-stdio.ts';
import { memoryOperations, testCaller } from './memory-operations.ts';

/** A process of its own that serves over stdio. The tool `seen` tells what it saw of its caller. */
const operations = memoryOperations();
const { handle } = operations;
let lookups = 0;
operations.knows = () => true;
operations.handle = async (call, caller) => {
  if (call.name !== 'seen') return handle(call, caller);
  const { conversation } = caller;
  const text = JSON.stringify({ conversation, cancelled: operations.cancelledCalls, lookups });
  return { tool: 'seen', text, result: {}, notes: [], cut: false, cursor: null, found: true };
};

const served = serveMcpStdio(
  { version: '0.0.1' },
  {
    operations,
    logger: silentLogger,
    async authenticate() {
      lookups++;
      if (process.env['TEST_TOKEN'] !== 'psc_ada') {
        throw new PeriscopeError('unauthenticated', 'test/token', 'The token is not valid.', 'Use another.');
      }
      return ({ conversation, clientName, signal }) =>
        testCaller(['acme/payments'], {
          conversation: { id: `${conversation} of ${clientName}`, certainty: 'exact' },
          signal,
        });
    },
  },
  { stdin: process.stdin, stdout: process.stdout },
);
await served.closed;
process.stderr.write('closed\n');

import { randomUUID } from 'node:crypto';
import type { Caller } from '../access/index.ts';
import type { ToolAnswer, ToolCall } from '../operations/index.ts';
import { reportFailure } from './exit-codes.ts';
import { openSession, type Session } from './open-session.ts';
import { withProgress } from './progress.ts';
import { configOf, type GlobalOptions } from './settings.ts';

export interface AskOptions extends GlobalOptions {
  json?: boolean;
}

/** Asks tools as one conversation, wherever they run, and reports a failure instead of throwing it. Ctrl-C cancels. */
export function askTools(
  what: string,
  options: AskOptions,
  work: (ask: (call: ToolCall) => Promise<ToolAnswer>) => Promise<void>,
): Promise<void> {
  return inSession(options, (session, caller) =>
    work((call) => withProgress(what, session.operations.handle(call, caller))),
  );
}

/** Works with a session as one conversation, and reports a failure instead of throwing it. Ctrl-C cancels. */
export async function inSession(
  options: AskOptions,
  work: (session: Session, caller: Caller) => Promise<void>,
): Promise<void> {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.once('SIGINT', interrupt);
  try {
    const session = await withProgress('opening', openSession(await configOf(options), process.env));
    try {
      const callerFor = await session.authenticate();
      const caller = callerFor({
        conversation: randomUUID(),
        clientName: 'periscope-cli',
        signal: interrupted.signal,
      });
      await work(session, caller);
    } finally {
      await session.close();
    }
  } catch (fault) {
    reportFailure(fault, options.json ?? false);
  } finally {
    process.removeListener('SIGINT', interrupt);
  }
}

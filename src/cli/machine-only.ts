import { PeriscopeError } from '../base/errors.ts';

/** Commands that work on this machine's data folder must not be taken for commands to the server of PERISCOPE_URL. */
export function requireOwnMachine(env: NodeJS.ProcessEnv): void {
  const url = env['PERISCOPE_URL'];
  if (!url) return;
  throw new PeriscopeError(
    'invalid-request',
    'cli/own-machine-only',
    `PERISCOPE_URL names the server ${url}, and this command works on the data folder of this machine.`,
    'Unset PERISCOPE_URL to work on this machine, or run the command on the machine of that server.',
  );
}

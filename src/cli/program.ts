import { Command } from 'commander';
import { periscopeVersion } from '../base/version.ts';
import { addAccessCommand } from './commands/access-command.ts';
import { addBackupCommands } from './commands/backup-command.ts';
import { addCompletionCommand } from './commands/completion-command.ts';
import { addConfigCommand } from './commands/config-command.ts';
import { addDiscoverCommand } from './commands/discover-command.ts';
import { addEvalCommand } from './commands/eval-command.ts';
import { addGraphCommand } from './commands/graph-command.ts';
import { addHelpCommand } from './commands/help-command.ts';
import { addIndexCommand } from './commands/index-command.ts';
import { addMcpCommand } from './commands/mcp-command.ts';
import { addMeaningCommand } from './commands/meaning-command.ts';
import { addScipCommand } from './commands/scip-command.ts';
import { addSearchCommand } from './commands/search-command.ts';
import { addTokenCommand } from './commands/token-command.ts';
import { addToolCommands } from './commands/tool-commands.ts';
import { addTracesCommand } from './commands/traces-command.ts';
import { addUpCommand } from './commands/up-command.ts';
import { exitCodes } from './exit-codes.ts';

/** The whole command line; also read for the generated reference and for completion. */
export function buildProgram(): Command {
  const program = new Command('periscope')
    .description(
      'Sight of every repository of your organisation, for coding agents and people, from inside your own perimeter.',
    )
    .version(periscopeVersion)
    .showSuggestionAfterError()
    .showHelpAfterError('(periscope --help shows what there is)')
    .addHelpText('after', '\nExit codes: 0 found, 1 nothing found, 2 failed.');
  addUpCommand(program);
  addDiscoverCommand(program);
  addIndexCommand(program);
  addSearchCommand(program);
  addMeaningCommand(program);
  addGraphCommand(program);
  addToolCommands(program);
  addScipCommand(program);
  addMcpCommand(program);
  addTokenCommand(program);
  addAccessCommand(program);
  addTracesCommand(program);
  addEvalCommand(program);
  addConfigCommand(program);
  addBackupCommands(program);
  addCompletionCommand(program);
  addHelpCommand(program);
  // Wrong usage is a failure, not "nothing found".
  for (const command of [program, ...descendants(program)]) {
    command.exitOverride((stop) => process.exit(stop.exitCode === 0 ? 0 : exitCodes.failed));
  }
  return program;
}

function descendants(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...descendants(child)]);
}

import { Argument, type Command } from 'commander';

/** As git has it: `help token create` is `token create --help`, and a command that is not there is a fault. */
export function addHelpCommand(program: Command): void {
  program
    .helpCommand(false)
    .command('help')
    .description('Show the help of a command: periscope help token create')
    .addArgument(new Argument('[command...]', 'its words'))
    .action((words: string[]) => {
      let command = program;
      for (const [index, word] of words.entries()) {
        const next = command.commands.find((child) => [child.name(), ...child.aliases()].includes(word));
        if (!next)
          program.error(
            `error: unknown command '${words.slice(0, index + 1).join(' ')}' (periscope --help shows what there is)`,
          );
        command = next;
      }
      command.outputHelp();
    });
}

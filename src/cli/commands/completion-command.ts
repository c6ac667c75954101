import { Argument, type Command } from 'commander';

const shells = ['bash', 'zsh', 'fish'] as const;

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('Print a completion script: eval "$(periscope completion bash)"')
    .addArgument(new Argument('<shell>').choices(shells))
    .action((shell: (typeof shells)[number]) => {
      process.stdout.write(completionScript(program, shell));
    });
}

/** Words after each command path, taken from the commands themselves. */
export function completionScript(program: Command, shell: (typeof shells)[number]): string {
  const rows = wordsByCommand(program, []);
  if (shell === 'fish') {
    return rows
      .flatMap(([path, words]) =>
        words.map((word) => {
          const when =
            path.length === 0 ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${path.at(-1)}`;
          return `complete -c periscope -n '${when}' ${word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`}\n`;
        }),
      )
      .join('');
  }
  const cases = rows
    .map(([path, words]) => `    "${path.join(' ')}") words="${words.join(' ')}" ;;`)
    .join('\n');
  const zsh = shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : '';
  return `${zsh}_periscope() {
  local words path word
  path=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  while :; do
    case "$path" in
${cases}
    *) words="" ;;
    esac
    [ -n "$words" ] || [ -z "$path" ] && break
    case "$path" in *" "*) path="\${path% *}" ;; *) path="" ;; esac
  done
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}") $(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _periscope periscope
`;
}

function wordsByCommand(command: Command, path: string[]): [string[], string[]][] {
  const names = command.commands.map((child) => child.name());
  const flags = command.options.flatMap(({ long }) => (long ? [long] : []));
  return [
    [path, [...names, ...flags]],
    ...command.commands.flatMap((child) => wordsByCommand(child, [...path, child.name()])),
  ];
}

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

/** What may come after a command path, taken from the commands themselves. */
interface Place {
  path: string[];
  /** Commands below, and values of arguments that have a closed list. */
  words: string[];
  flags: { name: string; takesValue: boolean; choices: readonly string[] }[];
}

export function completionScript(program: Command, shell: (typeof shells)[number]): string {
  const places = placesBelow(program, []);
  return shell === 'fish' ? fishScript(places) : bashScript(places, shell);
}

function fishScript(places: readonly Place[]): string {
  return places
    .flatMap(({ path, words, flags }) => {
      const when = path.length === 0 ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${path.at(-1)}`;
      const line = (what: string) => `complete -c periscope -n '${when}' ${what}\n`;
      return [
        ...words.map((word) => line(`-a ${word}`)),
        ...flags.map(({ name, takesValue, choices }) => {
          const values = choices.length > 0 ? ` -xa '${choices.join(' ')}'` : takesValue ? ' -r' : '';
          return line(`-l ${name.slice(2)}${values}`);
        }),
      ];
    })
    .join('');
}

function bashScript(places: readonly Place[], shell: 'bash' | 'zsh'): string {
  const words = places.map(
    ({ path, words: below, flags }) =>
      `    "${path.join(' ')}") words="${[...below, ...flags.map(({ name }) => name)].join(' ')}" ;;`,
  );
  const values = places.flatMap(({ path, flags }) =>
    flags
      .filter(({ choices }) => choices.length > 0)
      .map(({ name, choices }) => `      "${[...path, name].join(' ')}") values="${choices.join(' ')}" ;;`),
  );
  const zsh = shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : '';
  return `${zsh}_periscope() {
  local words values path word last current
  path="" values=""
  last="\${COMP_WORDS[COMP_CWORD-1]}" current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  while :; do
    case "$path $last" in
${values.join('\n')}
    esac
    case "$path" in
${words.join('\n')}
    *) words="" ;;
    esac
    [ -n "$words" ] || [ -z "$path" ] && break
    case "$path" in *" "*) path="\${path% *}" ;; *) path="" ;; esac
  done
  if [ -n "$values" ]; then
    COMPREPLY=($(compgen -W "$values" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$current") $(compgen -f -- "$current"))
  fi
}
complete -F _periscope periscope
`;
}

function placesBelow(command: Command, path: string[]): Place[] {
  const names = command.commands.flatMap((child) => [child.name(), ...child.aliases()]);
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
  const flags = command.options.flatMap(({ long, argChoices, required, optional }) =>
    long ? [{ name: long, takesValue: required || optional, choices: argChoices ?? [] }] : [],
  );
  return [
    { path, words: [...names, ...choices], flags },
    ...command.commands.flatMap((child) =>
      [child.name(), ...child.aliases()].flatMap((name) => placesBelow(child, [...path, name])),
    ),
  ];
}

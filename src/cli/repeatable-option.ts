import { InvalidArgumentError, Option } from 'commander';

/**
 * An option that is given once for each value. Each takes one word alone: one that takes all that follows would eat the arguments
 * after it.
 */
export function repeatableOption(
  flags: string,
  description: string,
  { choices, commaSeparated = false }: { choices?: readonly string[]; commaSeparated?: boolean } = {},
): Option {
  const option = new Option(
    flags,
    `${description} (${commaSeparated ? 'repeat, or a,b' : 'repeat for more'})`,
  );
  if (choices) option.choices([...choices]);
  return option.argParser((text: string, earlier: string[] | undefined) => {
    const given = commaSeparated ? text.split(',').filter((value) => value !== '') : [text];
    const unknown = given.find((value) => choices && !choices.includes(value));
    if (unknown !== undefined) throw new InvalidArgumentError(`Allowed are ${choices?.join(', ')}.`);
    return [...(earlier ?? []), ...given];
  });
}

import type { Command } from 'commander';
import { announced } from '../announced.ts';
import { type AskOptions, askTools } from '../ask-tools.ts';
import { addGlobalOptions } from '../settings.ts';
import { inShellWords } from '../shell-wording.ts';
import { showAnswer } from '../show-answer.ts';
import { givenOptions, propertiesOf, toolOption } from '../tool-option.ts';

/** `periscope search` is the exact search, which people type more often. */
export const meaningTool = 'search';

/** As many as the server gives at once: a person's terminal is no model's context. */
const TOKENS = 25_000;

export function addMeaningCommand(program: Command): void {
  const description = announced.operations.find(({ name }) => name === meaningTool)!;
  const { question, ...properties } = propertiesOf(description);
  const command = addGlobalOptions(program.command('meaning'))
    .summary(description.title)
    .description(inShellWords(description.description))
    .argument('[question...]', inShellWords(question?.description ?? ''))
    .option('--json', 'the structured answer, for programs');
  for (const [name, property] of Object.entries(properties)) command.addOption(toolOption(name, property));
  command.action(async (words: string[]) => {
    const options = command.opts<AskOptions & Record<string, unknown>>();
    const input = {
      ...(words.length === 0 ? {} : { question: words.join(' ') }),
      max_tokens: TOKENS,
      ...givenOptions(properties, options),
    };
    await askTools('searching', options, async (ask) => {
      showAnswer(await ask({ name: meaningTool, input }), options.json ?? false);
    });
  });
}

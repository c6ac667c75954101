import type { ToolAnswerJson } from '../contract/index.ts';
import type { OperationDescription, ToolAnswer } from '../operations/index.ts';

type Json = Record<string, unknown>;

/** Said of every answer, and once: beside the result and not in it too. */
const saidBeside = ['notes', 'cut', 'cursor'] as const;

export function answerJson({ tool, result, notes, cut, cursor, found }: ToolAnswer): ToolAnswerJson {
  return { tool, result: without(result), notes: [...notes], cut, cursor, found };
}

/** The operation as this surface speaks it. */
export function described(operation: OperationDescription): OperationDescription {
  const { properties, required, ...schema } = operation.outputSchema as Json & {
    properties?: Json;
    required?: readonly string[];
  };
  const outputSchema = {
    ...schema,
    ...(properties ? { properties: without(properties) } : {}),
    ...(required ? { required: required.filter((name) => !saidBeside.some((said) => said === name)) } : {}),
  };
  return { ...operation, outputSchema };
}

function without(fields: Readonly<Json>): Json {
  const own = { ...fields };
  for (const name of saidBeside) delete own[name];
  return own;
}

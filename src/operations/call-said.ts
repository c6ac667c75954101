/** Parameters of a call as answers and errors write them: to be sent as they stand, and read by the command line. */
export function callSaid(input: Record<string, unknown>): string {
  const said = Object.entries(input).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `{${said.join(', ')}}`;
}

/** A text for a message, never longer than `charactersMax`: what callers and repositories write has no length that can be trusted. */
export function shortened(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}…`;
}

/** Controls that turn the direction of a text: what follows would look like something else to whoever reads it. */
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text in which such controls stand as escapes. */
export function shownControls(text: string): string {
  return text.replace(turning, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

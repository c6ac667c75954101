/** `{a,b}` in globs: which brace closes which, and what lies between them. `\` takes the next character as itself. */

/** Index of the brace that closes the one at `open`, or -1. */
export function closingBrace(glob: string, open: number): number {
  let depth = 0;
  for (let at = open; at < glob.length; at++) {
    if (glob[at] === '\\') at++;
    else if (glob[at] === '{') depth++;
    else if (glob[at] === '}' && --depth === 0) return at;
  }
  return -1;
}

/** Parts between the commas that are in no further braces. */
export function alternatives(inside: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at < inside.length; at++) {
    if (inside[at] === '\\') at++;
    else if (inside[at] === '{') depth++;
    else if (inside[at] === '}') depth--;
    else if (inside[at] === ',' && depth === 0) {
      parts.push(inside.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, inside.slice(start)];
}

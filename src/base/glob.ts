import { alternatives, closingBrace } from './braces.ts';

/**
 * A glob over names and paths, in exact letter case, because git hosts differ in theirs. `*` and `?` never cross a slash, `**`
 * does, `{a,b}` is either, `\` takes a special character as itself; every other character is itself, brackets, parentheses and quotes
 * included. A glob that is written exactly like a name means that name.
 *
 * No regular expression: whoever creates a repository or calls a tool chooses the text, and a backtracking matcher on `*a*a*a*b` takes minutes for
 * one of 60 letters. Here a glob of m steps over a name of n characters takes m × n.
 */
export function globMatcher(glob: string): (name: string) => boolean {
  // Most names differ from most globs at once; only the others are worth the steps.
  const [prefix] = /^[^*?{\\]*/.exec(glob)!;
  if (prefix === glob) return (name) => name === glob;
  const matches = sequence(stepsOf(glob.slice(prefix.length)));
  return (name) =>
    name === glob || (name.startsWith(prefix) && matches(name, new Set([prefix.length])).has(name.length));
}

/** Where matching may stand after a step, given where it may have stood before. */
type Step = (name: string, from: ReadonlySet<number>) => ReadonlySet<number>;

function stepsOf(glob: string): Step[] {
  const steps: Step[] = [];
  let at = 0;
  while (at < glob.length) {
    const close = glob[at] === '{' ? closingBrace(glob, at) : -1;
    if (close !== -1) {
      steps.push(either(alternatives(glob.slice(at + 1, close)).map((text) => sequence(stepsOf(text)))));
      at = close + 1;
      continue;
    }
    const [token] = /^(?:\*\*+\/?|\*|\?|\\.|.[^*?{\\]*)/s.exec(glob.slice(at))!;
    steps.push(stepOf(token));
    at += token.length;
  }
  return steps;
}

function stepOf(token: string): Step {
  if (token === '?') return oneCharacter;
  if (token === '*') return withinSegment;
  if (token.startsWith('**')) return token.endsWith('/') ? folders : anything;
  return literal(token.length === 2 && token.startsWith('\\') ? token.slice(1) : token);
}

function sequence(steps: readonly Step[]): Step {
  return (name, from) => {
    let positions = from;
    for (const step of steps) {
      if (positions.size === 0) break;
      positions = step(name, positions);
    }
    return positions;
  };
}

function either(forms: readonly Step[]): Step {
  return (name, from) => new Set(forms.flatMap((form) => [...form(name, from)]));
}

function literal(text: string): Step {
  return (name, from) => {
    const to = new Set<number>();
    for (const at of from) if (name.startsWith(text, at)) to.add(at + text.length);
    return to;
  };
}

const oneCharacter: Step = (name, from) => {
  const to = new Set<number>();
  for (const at of from) {
    const character = name.codePointAt(at);
    if (character !== undefined && character !== slash) to.add(at + (character > 0xffff ? 2 : 1));
  }
  return to;
};

const withinSegment: Step = (name, from) => {
  const to = new Set<number>();
  for (const start of from) {
    // Beyond a place that is taken already, everything up to the slash is.
    for (let at = start; !to.has(at); at++) {
      to.add(at);
      if (at === name.length || name.charCodeAt(at) === slash) break;
    }
  }
  return to;
};

const anything: Step = (name, from) => {
  const to = new Set<number>();
  for (let at = Math.min(...from); at <= name.length; at++) to.add(at);
  return to;
};

/** `**` with its slash: nothing, or anything that ends with a slash. */
const folders: Step = (name, from) => {
  const to = new Set(from);
  for (let at = Math.min(...from); at < name.length; at++) if (name.charCodeAt(at) === slash) to.add(at + 1);
  return to;
};

const slash = 0x2f;

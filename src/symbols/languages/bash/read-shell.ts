import { endOfLine } from '../../scanning/tokens.ts';
import type { ShellFacts } from './shell-facts.ts';

/** A stretch of commands or text within another: `$(…)`, `(…)`, backticks, `"…"`, `${…}`, `((…))`. */
interface Context {
  kind: 'commands' | 'quoted' | 'parameter' | 'arithmetic' | 'list';
  /** What closes it. */
  closing: ')' | '`' | '"' | "'" | '}' | '';
  /** First word of the command. */
  command: string;
  /** A function whose body is this very subshell. */
  isBody: boolean;
  /** The next word begins a command. */
  atCommand: boolean;
  /** Open braces; true where a function's body is. */
  braces: boolean[];
  /** Open `case`s, and whether the next is a pattern. */
  cases: number;
  inPattern: boolean;
  /** Within `[[ … ]]`. */
  inTest: boolean;
  /** What the words of this command are. */
  mode: 'arguments' | 'declare' | 'local' | 'constant' | 'for' | 'source' | 'trap' | 'case';
  /** An assignment that may yet be the environment of one command. */
  pending: { name: string; start: number; end: number }[];
  /** Parentheses within arithmetic. */
  parens: number;
}

const openers: ReadonlySet<string> = new Set('if then elif else while until do ! { time coproc'.split(' '));
const closers: ReadonlySet<string> = new Set(['fi', 'done', 'esac', '}']);
/** Commands whose first argument is a command. */
const prefixes: ReadonlySet<string> = new Set('command builtin exec eval sudo nohup'.split(' '));
const NAME = /^[A-Za-z_]\w*/;
const NAME_UNITS_MAX = 200;
const WORD_END = /[\s;&|<>()"'`$\\]/;

/** One pass, character by character, with a stack instead of recursion: it tells what it meets and never fails. */
export function readShell(text: string, facts: ShellFacts): void {
  const stack: Context[] = [newContext('commands', '')];
  const heredocs: { mark: string; strips: boolean }[] = [];
  /** A function whose body comes next. */
  let pendingFunction: { name: string; nameStart: number; start: number } | null = null;
  let at = 0;
  /** Open texts in single quotes that are read as commands. */
  let scripts = 0;

  const top = () => stack[stack.length - 1]!;
  const isTop = () =>
    stack.every(({ kind }) => kind !== 'commands' || stack[0]!.kind === kind) && stack.length === 1;

  const endCommand = (context: Context) => {
    for (const { name, start, end } of context.pending) facts.assign(name, start, end, isTop(), false);
    context.pending = [];
    context.atCommand = true;
    context.mode = 'arguments';
  };

  const openBody = (bodyStart: number): boolean => {
    if (pendingFunction === null) return false;
    facts.openFunction(pendingFunction.name, pendingFunction.nameStart, pendingFunction.start, bodyStart);
    pendingFunction = null;
    return true;
  };

  const close = () => {
    const closed = stack.pop()!;
    if (closed.kind === 'commands') {
      endCommand(closed);
      for (const isBody of closed.braces) if (isBody) facts.closeFunction(at);
    }
    if (closed.isBody) facts.closeFunction(at + 1);
    if (stack.length === 0) stack.push(newContext('commands', ''));
  };

  const skipHeredocs = () => {
    for (const { mark, strips } of heredocs.splice(0)) {
      while (at < text.length) {
        const end = endOfLine(text, at);
        const line = text.slice(at, Math.min(end, at + 500));
        at = end + 1;
        if ((strips ? line.replace(/^\t+/, '') : line).replace(/\r$/, '') === mark) break;
      }
    }
    at = Math.min(at, text.length);
  };

  /** `$x`, `${x}`, `$(…)`, `$((…))`, `$'…'`. */
  const readDollar = () => {
    const next = text[at + 1];
    if (next === '(') {
      const isArithmetic = text[at + 2] === '(';
      stack.push(newContext(isArithmetic ? 'arithmetic' : 'commands', ')'));
      if (isArithmetic) top().parens = 2;
      at += isArithmetic ? 3 : 2;
    } else if (next === '{') {
      stack.push(newContext('parameter', '}'));
      at += 2;
      while (text[at] === '!' || text[at] === '#') at++;
      readVariable();
    } else if (next === "'" && top().kind !== 'quoted') {
      at += 2;
      while (at < text.length && text[at] !== "'") at += text[at] === '\\' ? 2 : 1;
      at++;
    } else {
      at++;
      readVariable();
    }
  };

  const readVariable = () => {
    const name = text.slice(at, at + NAME_UNITS_MAX).match(NAME)?.[0];
    if (name === undefined) return;
    facts.variable(name, at);
    at += name.length;
  };

  const readHeredoc = () => {
    at += 2;
    const strips = text[at] === '-';
    if (strips) at++;
    while (text[at] === ' ' || text[at] === '\t') at++;
    const found = text.slice(at, at + NAME_UNITS_MAX).match(/^(?:\\?([\w.!@%+-]+)|'([^'\n]*)'|"([^"\n]*)")/);
    if (!found) return;
    heredocs.push({ mark: found[1] ?? found[2] ?? found[3]!, strips });
    at += found[0].length;
  };

  /** From `at` to the end of the word with all that is quoted in it, at one look: for what `source` names. */
  const wholeWord = (): string => {
    let end = at;
    let quote = '';
    let depth = 0;
    for (; end < text.length && end - at < NAME_UNITS_MAX * 2; end++) {
      const sign = text[end]!;
      if (sign === '\n') break;
      if (sign === '\\') end++;
      else if (sign === '(' || (sign === '{' && text[end - 1] === '$')) depth++;
      else if ((sign === ')' || sign === '}') && depth > 0) depth--;
      else if (depth > 0) continue;
      else if (quote !== '') quote = sign === quote ? '' : quote;
      else if (sign === '"' || sign === "'" || sign === '`') quote = sign;
      else if (/[\s;&|)]/.test(sign)) break;
    }
    return text.slice(at, end);
  };

  const readWord = (context: Context) => {
    const start = at;
    while (at < text.length && !WORD_END.test(text[at]!)) at++;
    if (at === start) {
      at++;
      return;
    }
    const word = text.slice(start, Math.min(at, start + NAME_UNITS_MAX));
    const next = text[at] ?? '\n';
    const isWhole = /[\s;&|<>)(]/.test(next) || next === context.closing;
    if (context.inTest) {
      if (word === ']]') {
        context.inTest = false;
        context.atCommand = false;
      }
      return;
    }
    if (context.mode === 'case') {
      if (word === 'in' && isWhole) {
        context.mode = 'arguments';
        context.cases++;
        context.inPattern = true;
        context.atCommand = false;
      }
      return;
    }
    if (context.inPattern) {
      if (word === 'esac' && isWhole) endCase(context);
      return;
    }
    if (context.mode === 'for') {
      const name = word.match(NAME)?.[0];
      if (name === word) facts.local(word);
      context.mode = 'arguments';
      context.atCommand = false;
      return;
    }
    if (context.atCommand) readCommandWord(context, word, start, isWhole);
    else if (context.mode !== 'arguments') readArgument(context, word, start, isWhole);
  };

  const endCase = (context: Context) => {
    context.cases = Math.max(0, context.cases - 1);
    context.inPattern = false;
    context.atCommand = false;
  };

  const readCommandWord = (context: Context, word: string, start: number, isWhole: boolean) => {
    const assigned = word.match(/^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=/);
    if (assigned) {
      const end = Math.min(endOfLine(text, start), start + NAME_UNITS_MAX);
      context.pending.push({ name: assigned[1]!, start, end });
      return;
    }
    if (!isWhole) {
      context.pending = [];
      context.atCommand = false;
      return;
    }
    let behind = at;
    while (text[behind] === ' ' || text[behind] === '\t') behind++;
    if (text[behind] === '(' && /^\([ \t]*\)/.test(text.slice(behind, behind + 20))) {
      pendingFunction = { name: word, nameStart: start, start };
      at = text.indexOf(')', behind) + 1;
      context.atCommand = true;
      return;
    }
    if (word === 'function') {
      at = behind;
      const nameStart = at;
      while (at < text.length && !/[\s;&|<>(){}]/.test(text[at]!)) at++;
      if (at > nameStart) pendingFunction = { name: text.slice(nameStart, at), nameStart, start };
      const parens = text.slice(at, at + 20).match(/^[ \t]*\([ \t]*\)/);
      at += parens?.[0].length ?? 0;
      return;
    }
    if (word === '{') {
      context.braces.push(openBody(start));
      return;
    }
    if (word === '}') {
      endCommand(context);
      if (context.braces.pop()) facts.closeFunction(at);
    }
    // A body of one command: `f() if …; fi`.
    else if (openBody(start)) facts.closeFunction(endOfLine(text, start));
    if (openers.has(word)) return;
    if (closers.has(word)) {
      if (word === 'esac') endCase(context);
      context.atCommand = false;
      return;
    }
    if (word === '[[') {
      context.inTest = true;
      return;
    }
    context.pending = [];
    if (prefixes.has(word)) return;
    if (word.startsWith('-')) return;
    context.atCommand = false;
    context.command = word;
    context.mode = modeOf(word);
    if (context.mode === 'arguments' && !/^[[\d]|=/.test(word) && !/[*?{}]/.test(word))
      facts.command(word, start);
    if (context.mode === 'source') {
      while (text[at] === ' ' || text[at] === '\t') at++;
      const written = wholeWord();
      if (written !== '' && !written.startsWith('-')) facts.source(written, at);
      context.mode = 'arguments';
    }
  };

  const readArgument = (context: Context, word: string, start: number, isWhole: boolean) => {
    if (word.startsWith('-')) {
      if (context.mode === 'declare' && /^-\w*r/.test(word)) context.mode = 'constant';
      return;
    }
    if (context.mode === 'trap') {
      if (isWhole && NAME.test(word)) facts.command(word, start);
      context.mode = 'arguments';
      return;
    }
    const name = word.match(NAME)?.[0];
    if (name === undefined) return;
    const hasValue = /^(?:\[[^\]]*\])?\+?=/.test(word.slice(name.length));
    const isBare = word === name && isWhole;
    if (!hasValue && !isBare) return;
    const end = Math.min(endOfLine(text, start), start + NAME_UNITS_MAX);
    if (context.mode === 'local') facts.local(name);
    else if (hasValue) facts.assign(name, start, end, isTop(), context.mode === 'constant');
    else facts.variable(name, start);
  };

  while (at < text.length) {
    const context = top();
    const sign = text[at]!;
    if (sign === '\\') {
      if (context.kind === 'commands' && text[at + 1] !== '\n' && text[at + 1] !== '\r')
        context.atCommand = false;
      at += 2;
      continue;
    }
    if (sign === '$') {
      if (context.kind === 'commands' && context.pending.length === 0)
        context.atCommand &&= wordGoesOn(text, at);
      readDollar();
      continue;
    }
    if (sign === '`') {
      if (context.closing === '`') {
        close();
        at++;
      } else if (stack.some(({ closing }) => closing === '`')) {
        // What was open within the backticks was not closed.
        while (top().closing !== '`') close();
        close();
        at++;
      } else {
        stack.push(newContext('commands', '`'));
        at++;
      }
      continue;
    }
    if (sign === "'" && scripts > 0) {
      // A text in single quotes ends with the next one, whatever is open in it.
      while (top().closing !== "'") close();
      close();
      scripts--;
      at++;
      continue;
    }
    if (context.kind === 'quoted') {
      if (sign === '"') close();
      at++;
      continue;
    }
    if (sign === '"') {
      if (context.kind === 'commands' && !wordGoesOn(text, at)) context.atCommand = false;
      stack.push(newContext('quoted', '"'));
      at++;
      continue;
    }
    if (context.kind === 'parameter') {
      if (sign === '}') close();
      at++;
      continue;
    }
    if (sign === "'") {
      if (context.kind === 'commands' && !wordGoesOn(text, at)) context.atCommand = false;
      if (isScript(context, text, at)) {
        stack.push(newContext('commands', "'"));
        scripts++;
        at++;
        continue;
      }
      const end = text.indexOf("'", at + 1);
      at = end < 0 ? text.length : end + 1;
      continue;
    }
    if (context.kind === 'arithmetic') {
      if (sign === '(') context.parens++;
      else if (sign === ')' && --context.parens === 0) close();
      at++;
      continue;
    }
    if (sign === '#' && (at === 0 || /[\s;&|(`]/.test(text[at - 1]!))) {
      const end = endOfLine(text, at);
      facts.comment(at, end);
      at = end;
      continue;
    }
    if (context.kind === 'list') {
      if (sign === ')') close();
      else if (sign === '(') stack.push(newContext('list', ')'));
      at++;
      continue;
    }
    switch (sign) {
      case '\n':
        at++;
        if (!context.inTest && !context.inPattern && context.mode !== 'case') endCommand(context);
        if (heredocs.length > 0) skipHeredocs();
        break;
      case ';':
      case '&':
        // `2>&1`, `&>file`
        if (sign === '&' && (text[at - 1] === '>' || text[at - 1] === '<' || text[at + 1] === '>')) {
          at++;
          break;
        }
        if (!context.inTest) {
          endCommand(context);
          if (context.cases > 0 && /^;(?:;&?|&)/.test(text.slice(at, at + 3))) {
            context.inPattern = true;
            at += text[at + 1] === ';' && text[at + 2] === '&' ? 3 : 2;
            break;
          }
        }
        at++;
        break;
      case '|':
        at++;
        if (text[at] === '&') at++;
        if (!context.inTest && !context.inPattern) endCommand(context);
        break;
      case '<':
        if (text[at + 1] === '<' && text[at + 2] !== '<' && !context.inTest) readHeredoc();
        else if (text.startsWith('<<<', at)) at += 3;
        else if (text[at + 1] === '(') {
          stack.push(newContext('commands', ')'));
          at += 2;
        } else at = behindRedirection(text, at);
        break;
      case '>':
        if (text[at + 1] === '(') {
          stack.push(newContext('commands', ')'));
          at += 2;
        } else at = behindRedirection(text, at);
        break;
      case '(': {
        if (context.inPattern && !context.inTest) {
          at++;
          break;
        }
        const isArray = text[at - 1] === '=';
        const isArithmetic =
          context.atCommand && !isArray && text[at + 1] === '(' && pendingFunction === null;
        const isBody = !isArray && openBody(at);
        const opened = newContext(
          isArray || context.inTest ? 'list' : isArithmetic ? 'arithmetic' : 'commands',
          ')',
        );
        opened.isBody = isBody;
        opened.parens = 1;
        stack.push(opened);
        at++;
        break;
      }
      case ')':
        if (context.inPattern) {
          context.inPattern = false;
          context.atCommand = true;
        } else if (context.closing === ')' && context.cases === 0) {
          close();
          const after = top();
          if (after.kind === 'commands' && after.pending.length === 0) after.atCommand = false;
        }
        at++;
        break;
      case ' ':
      case '\t':
      case '\r':
        at++;
        break;
      default:
        readWord(context);
    }
  }
  at = text.length;
  while (stack.length > 1) close();
  endCommand(top());
  for (const isBody of top().braces) if (isBody) facts.closeFunction(text.length);
}

function newContext(kind: Context['kind'], closing: Context['closing']): Context {
  return {
    kind,
    closing,
    command: '',
    isBody: false,
    atCommand: true,
    braces: [],
    cases: 0,
    inPattern: false,
    inTest: false,
    mode: 'arguments',
    pending: [],
    parens: 0,
  };
}

/** Behind `=` of an assignment the quoted text is its value, and the command is yet to come. */
function wordGoesOn(text: string, at: number): boolean {
  return at > 0 && !/[\s;&|(]/.test(text[at - 1]!);
}

/** The body of a test, as the test library of git and those made after it take it: in quotes, over several lines. */
function isScript({ kind, atCommand, command }: Context, text: string, at: number): boolean {
  return kind === 'commands' && !atCommand && text[at + 1] === '\n' && command.startsWith('test_');
}

function behindRedirection(text: string, from: number): number {
  let at = from;
  while (text[at] === '<' || text[at] === '>' || text[at] === '&' || text[at] === '|') at++;
  while (text[at] === ' ' || text[at] === '\t') at++;
  // Quotes and expansions in the target are read as in any word.
  while (at < text.length && !WORD_END.test(text[at]!)) at++;
  return at;
}

function modeOf(word: string): Context['mode'] {
  switch (word) {
    case 'declare':
    case 'typeset':
    case 'export':
      return 'declare';
    case 'local':
      return 'local';
    case 'readonly':
      return 'constant';
    case 'for':
    case 'select':
      return 'for';
    case 'source':
    case '.':
      return 'source';
    case 'trap':
      return 'trap';
    case 'case':
      return 'case';
    default:
      return 'arguments';
  }
}

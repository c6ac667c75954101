import type { FactsDraft, SymbolDraft } from '../../scanning/facts-draft.ts';

/** What the reader of shell scripts tells. Offsets are UTF-16 units. */
export interface ShellFacts {
  comment(start: number, end: number): void;
  /** Opens a function; `closeFunction` ends the innermost one. */
  openFunction(name: string, nameStart: number, start: number, bodyStart: number): void;
  closeFunction(end: number): void;
  /** `NAME=…` by itself; `isTop` outside of functions and subshells. */
  assign(name: string, start: number, end: number, isTop: boolean, isConstant: boolean): void;
  local(name: string): void;
  variable(name: string, start: number): void;
  command(name: string, start: number): void;
  source(written: string, start: number): void;
  finish(): void;
}

const CONSTANT_LIKE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^[A-Z]{3,}[0-9]*$/;

/** What every shell has itself or by its side; a script that defines one of these names is believed. */
const builtins: ReadonlySet<string> = new Set(
  (
    '. : [ alias awk basename bg bind break builtin caller case cat cd chmod chown command continue cp cut date declare diff dirname dirs ' +
    'disown echo egrep enable env eval exec exit export expr false fg fgrep find getopts grep hash head hostname id install jobs kill let ln ' +
    'local logout ls mapfile mkdir mktemp mv popd printf ps pushd pwd read readarray readlink readonly realpath return rm rmdir sed seq set ' +
    'sha256sum shift shopt sleep sort source stat suspend tail tar tee test time times touch tr trap true type typeset ulimit umask unalias ' +
    'uname uniq unset wait wc which whoami xargs yes cmp dd df du file less more sudo rev paste comm join fold gzip gunzip timeout nohup'
  ).split(' '),
);

const LEVELS_MAX = 50;

interface ShellFunction {
  symbol: SymbolDraft;
  locals: Set<string>;
  around: ShellFunction | null;
}

export function createShellFacts(draft: FactsDraft): ShellFacts {
  const functionNames = new Set<string>();
  const variables = new Set<string>();
  const uses: { name: string; start: number; within: ShellFunction | null; isCommand: boolean }[] = [];
  let current: ShellFunction | null = null;

  const isLocal = (name: string, within: ShellFunction | null): boolean => {
    let at = within;
    for (let level = 0; at !== null && level < LEVELS_MAX; level++, at = at.around) {
      if (at.locals.has(name)) return true;
    }
    return false;
  };

  return {
    comment: (start, end) => draft.comments.push(start, end),
    openFunction(name, nameStart, start, bodyStart) {
      functionNames.add(name);
      const symbol = draft.symbol({
        name,
        kind: 'function',
        nameStart,
        nameEnd: nameStart + name.length,
        start,
        end: bodyStart,
        bodyStart,
        exported: current === null,
      });
      current = { symbol, locals: new Set(), around: current };
    },
    closeFunction(end) {
      if (current === null) return;
      current.symbol.end = end;
      current = current.around;
    },
    assign(name, start, end, isTop, isConstant) {
      if (!isTop || current !== null || variables.has(name)) {
        uses.push({ name, start, within: current, isCommand: false });
        return;
      }
      variables.add(name);
      draft.symbol({
        name,
        kind: isConstant ? 'constant' : 'variable',
        nameStart: start,
        nameEnd: start + name.length,
        start,
        end,
      });
    },
    local(name) {
      current?.locals.add(name);
    },
    variable: (name, start) => uses.push({ name, start, within: current, isCommand: false }),
    command: (name, start) => uses.push({ name, start, within: current, isCommand: true }),
    source(written, start) {
      const module = moduleOf(written);
      draft.imports.push({ module, at: start, relative: !module.startsWith('/') });
    },
    finish() {
      while (current !== null) {
        current.symbol.end = draft.text.length;
        current = current.around;
      }
      for (const { name, start, within, isCommand } of uses) {
        if (isCommand) {
          if (functionNames.has(name) || !builtins.has(name))
            draft.references.push({ name, kind: 'call', start });
        } else if (!isLocal(name, within) && (variables.has(name) || CONSTANT_LIKE.test(name))) {
          draft.references.push({ name, kind: 'use', start });
        }
      }
    },
  };
}

/** `"$(dirname "$0")/lib.sh"`, `$HERE/lib.sh`: the folder is known when it runs; most often it is that of the script. */
function moduleOf(written: string): string {
  const plain = written.replace(/^(['"])([^'"]*)\1$/, '$2');
  const folder = plain.match(/^"?(?:\$\([^\n]*\)|\$\{[^\n]*?\}|`[^`\n]*`|\$\w+)"?\//);
  const module = folder ? `./${plain.slice(folder[0].length)}` : plain;
  return module.replace(/["']/g, '');
}

import { alternatives, closingBrace } from '../../base/braces.ts';
import { escapeRegex } from './text-patterns.ts';
import type { TextPattern } from './types.ts';

/**
 * Globs over paths, as the file parameter takes them; a path fits when it fits one of them. `*.yaml` at any depth, `src/**` and
 * `src/*.ts` from the root, `/*.ts` in the root alone. A name without magic, such as `src/app` or `Makefile`, is that file or everything below
 * that folder, at any depth unless it begins with a slash. `*` and `?` never cross a slash, `**` does, `{a,b}` is either, brackets
 * are a class or themselves.
 */
export function filePattern(globs: readonly string[], ignoreCase = true): TextPattern {
  return anyOf(globs.map(fileSource), ignoreCase);
}

/** Over `owner/name` and `host/owner/name`: a name means the end of it in whole segments, `acme/*` what stands below. */
export function repositoryPattern(globs: readonly string[], ignoreCase = true): TextPattern {
  return anyOf(globs.map(repositorySource), ignoreCase);
}

/** Of one glob: turning it into a regex looks at each brace again. */
export const GLOB_LENGTH_MAX = 2000;

/** The whole name of a branch. */
export function branchPattern(glob: string): TextPattern {
  return { source: `^${globSource(glob)}$`, literal: false, ignoreCase: false };
}

function anyOf(sources: readonly string[], ignoreCase: boolean): TextPattern {
  const [first = '', ...others] = [...new Set(sources)];
  return {
    source: others.length === 0 ? first : `(?:${[first, ...others].join('|')})`,
    literal: false,
    ignoreCase,
  };
}

function fileSource(glob: string): string {
  const isRooted = /^\.?\//.test(glob);
  const bare = glob.replace(/^\.?\/+/, '').replace(/\/+$/, '/**');
  const inner = bare.replace(/\/\*\*$/, '');
  if (!/[*?[\]{}\\]/.test(inner)) {
    const below = inner === bare ? '(?:/|$)' : '/';
    // `src/**` is written from the root, `src/` and `src/app` are names.
    const start = isRooted || (glob.endsWith('/**') && inner.length + 3 === glob.length) ? '^' : '(?:^|/)';
    return inner === '' ? '^' : `${start}${escapeRegex(inner)}${below}`;
  }
  const start = isRooted || inner.includes('/') ? '^' : '(?:^|/)';
  return `${start}${globSource(bare)}$`;
}

function repositorySource(glob: string): string {
  const bare = glob
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/^\/+/, '')
    .replace(/\.git$/, '')
    .replace(/\/+$/, '/**');
  return `(?:^|/)${globSource(bare)}$`;
}

/** The glob as a regex, without anchors. */
function globSource(glob: string, depth = 0): string {
  let source = '';
  let at = 0;
  while (at < glob.length) {
    const [token] = /^(?:\*\*+\/?|\\.|.)/s.exec(glob.slice(at, at + TOKEN_MAX))!;
    const close = token === '{' && depth < DEPTH_MAX ? closingBrace(glob, at) : -1;
    const bracket =
      token === '[' ? /^\[([!^]?)([^\]\\/[]{1,40})\]/.exec(glob.slice(at, at + TOKEN_MAX)) : null;
    if (close !== -1) {
      const options = alternatives(glob.slice(at + 1, close)).map((option) => globSource(option, depth + 1));
      source += `(?:${options.join('|')})`;
      at = close + 1;
    } else if (bracket) {
      source += bracketSource(bracket);
      at += bracket[0].length;
    } else {
      source += tokenSource(token, at === 0 || glob[at - 1] === '/');
      at += token.length;
    }
  }
  return source;
}

const TOKEN_MAX = 64;
/** Of braces within braces; deeper ones are themselves. */
const DEPTH_MAX = 8;

function tokenSource(token: string, startsSegment: boolean): string {
  if (token === '?') return '[^/]';
  if (token === '*') return '[^/]*';
  if (token.startsWith('**')) return token.endsWith('/') ? (startsSegment ? '(?:.*/)?' : '.*/') : '.*';
  return escapeRegex(token.length === 2 ? token.slice(1) : token);
}

/** `[id].tsx` is a file's name as often as `[ch]` is a class: both fit. */
function bracketSource([written, negated, inside = '']: RegExpExecArray): string {
  const members = inside.replace(/(\w)-(\w)/g, (range, from: string, to: string) =>
    from <= to ? range : `${from}\u0001${to}`,
  );
  const set = members.replace(/[\^]|^-|-$|(?<!\w)-|-(?!\w)/g, '\\$&').replace(/\u0001/g, '\\-');
  return `(?:${escapeRegex(written)}|[${negated ? '^/' : ''}${set}])`;
}

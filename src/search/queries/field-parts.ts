import { languageName, languageNamed, nearLanguages } from '../documents/languages.ts';
import { branchPattern, filePattern, GLOB_LENGTH_MAX, repositoryPattern } from './glob-patterns.ts';
import { badQuery, badRegex } from './query-errors.ts';
import { anyOf, everything, filter, type Part } from './query-part.ts';
import { cut } from './query-reading.ts';
import type { FieldToken, FieldValue } from './query-scanner.ts';
import { readValue } from './term-reading.ts';
import { checkRegex, textPattern } from './text-patterns.ts';
import type { ParseQueryOptions, QueryNode, TextPattern } from './types.ts';

export interface FieldContext {
  readonly query: string;
  /** Under `case:yes` names of files and repositories count by the letter; else they never do. */
  readonly exactCase: boolean;
  readonly repositorySets: ParseQueryOptions['repositorySets'];
  /** For `repo:NAME@REV`. */
  addRevision(repository: TextPattern, revision: string): void;
  /** For `repo:NAME`. */
  addRepository(pattern: TextPattern, written: string): void;
  note(text: string): void;
}

/** The filter that a field stands for; undefined for fields that are no filters. */
export function fieldPart(token: FieldToken, context: FieldContext): Part | undefined {
  const { value } = token;
  switch (token.field.name) {
    case 'repo':
      return repositoryPart(token, context);
    case 'file':
      return filter(
        { kind: 'text', pattern: filePatternOf(value, context), where: 'path' },
        `in files ${shown(value)}`,
      );
    case 'extension':
      return globPart(`*.${value.text.replace(/^\*?\./, '')}`, context);
    case 'filename':
      return globPart(`**/${value.text.replace(/^\*\*\//, '')}`, context);
    case 'lang':
      return languagePart(token, context);
    case 'branch':
      return filter(
        { kind: 'branch', pattern: branchPatternOf(value, context) },
        `on branches ${shown(value)}`,
      );
    case 'archived':
    case 'fork':
      return flagPart(token, context);
    case 'is':
      return isPart(token, context);
    case 'repo.has.file':
      return hasFilePart(filePatternOf(value, context), null, shown(value));
    case 'context':
      return setPart(value.text, value, context);
    case 'owner':
      return filter(
        { kind: 'repository', pattern: ownerPattern(value.text) },
        `in repositories of ${cut(value.text)}`,
      );
    case 'public':
      context.note(`left ${token.written}: out of account: what you may read is known already`);
      return everything;
    default:
      return undefined;
  }
}

/** A set of repositories by its name, undefined when there is none. */
export function repositorySetPart(name: string, sets: FieldContext['repositorySets']): Part | undefined {
  const globs = Object.hasOwn(sets, name) ? sets[name] : undefined;
  if (!globs) return undefined;
  return filter({ kind: 'repository', pattern: repositoryPattern(globs) }, `in the repositories of ${name}`);
}

function repositoryPart(token: FieldToken, context: FieldContext): Part {
  const { value } = token;
  const predicate = predicateOf(value);
  if (predicate) return repositoryPredicate(token, predicate, context);
  const at = value.how === 'regex' ? -1 : value.text.indexOf('@', 1);
  const name = at === -1 ? value.text : value.text.slice(0, at);
  const revisions =
    at === -1
      ? []
      : value.text
          .slice(at + 1)
          .split(':')
          .filter((revision) => revision !== '');
  const part = name.startsWith('@')
    ? setPart(name.slice(1), value, context)
    : namedRepositories(name, value, context);
  if (part.node.kind === 'repository') {
    context.addRepository(part.node.pattern, name);
    for (const revision of revisions) context.addRevision(part.node.pattern, revision);
  }
  if (revisions.length === 0 || part.said.kind !== 'filter') return part;
  return filter(part.node, `${part.said.words} at ${cut(revisions.join(', '))}`);
}

function namedRepositories(name: string, value: FieldValue, context: FieldContext): Part {
  const ignoreCase = !context.exactCase;
  const bare = value.how === 'regex' ? name : name.replace(/^[a-z]+:\/\//i, '').replace(/\.git$/, '');
  const how = value.how === 'regex' ? 'regex' : readValue(bare);
  const words = `in repositories ${how === 'regex' ? `/${cut(bare)}/` : cut(bare)}`;
  if (how === 'glob') {
    refuseLongGlob(value, context);
    return filter({ kind: 'repository', pattern: repositoryPattern([bare], ignoreCase) }, words);
  }
  if (how === 'text') return filter({ kind: 'repository', pattern: textPattern(bare, ignoreCase) }, words);
  checkAt(context.query, value.textAt, bare);
  return filter({ kind: 'repository', pattern: { source: bare, literal: false, ignoreCase } }, words);
}

function setPart(name: string, value: FieldValue, context: FieldContext): Part {
  if (name === 'global') return everything;
  const part = repositorySetPart(name.replace(/^@/, ''), context.repositorySets);
  if (part) return part;
  const names = Object.keys(context.repositorySets).slice(0, 10);
  throw badQuery(
    context.query,
    value,
    `There is no set of repositories named "${cut(name)}"`,
    names.length > 0
      ? `Name one of ${names.join(', ')}.`
      : 'Name repositories with repo:, such as repo:acme/*.',
  );
}

function ownerPattern(name: string): TextPattern {
  return repositoryPattern([`${name.replace(/[/*]+$/, '')}/**`]);
}

interface Predicate {
  name: string;
  argument: string;
}

/** `has.file(go.mod)`, `contains.content(x)`. */
function predicateOf({ text, how }: FieldValue): Predicate | null {
  const found = how === 'plain' ? /^(?:has|contains)(?:\.(\w+))?\((.*)\)$/s.exec(text) : null;
  return found ? { name: found[1] ?? 'file', argument: found[2]!.trim() } : null;
}

function repositoryPredicate(token: FieldToken, { name, argument }: Predicate, context: FieldContext): Part {
  const named = new Map<string, string>();
  for (const [, key = '', quoted, plain] of argument.matchAll(/\b(path|content):(?:"([^"]*)"|(\S+))/g))
    named.set(key, quoted ?? plain ?? '');
  if (named.size === 0 && argument !== '') named.set(name === 'content' ? 'content' : 'path', argument);
  if (named.size === 0 || !['file', 'path', 'content'].includes(name)) {
    throw badQuery(
      context.query,
      token,
      `repo: knows no ${cut(token.value.text)}`,
      'Write repo:has.file(go.mod), repo:has.path(cmd/) or repo:has.content(grpc).',
    );
  }
  const path = named.get('path');
  const content = named.get('content');
  return hasFilePart(
    path === undefined
      ? { source: '', literal: true, ignoreCase: true }
      : valuePattern(path, token.value, context, filePattern),
    content === undefined ? null : valuePattern(content, token.value, context, null),
    [path, content === undefined ? undefined : `holding ${content}`]
      .filter((word) => word !== undefined)
      .join(' '),
  );
}

/** `file:has.content(x)`: what the file itself holds. Undefined for every other value. */
export function contentPredicate(token: FieldToken): string | undefined {
  const predicate = token.field.name === 'file' ? predicateOf(token.value) : null;
  return predicate?.name === 'content' && predicate.argument !== '' ? predicate.argument : undefined;
}

function hasFilePart(path: TextPattern, content: TextPattern | null, words: string): Part {
  return filter({ kind: 'repository-has-file', path, content }, `in repositories with a file ${cut(words)}`);
}

function filePatternOf(value: FieldValue, context: FieldContext): TextPattern {
  const { text, how } = value;
  const ignoreCase = !context.exactCase;
  if (how === 'regex') {
    checkAt(context.query, value.textAt, text);
    return { source: text, literal: false, ignoreCase: ignoreCase || value.ignoreCase };
  }
  // Extensions one after the other, the commas within them being no part of a name.
  if (/^\*\.[\w.]+(?:,\s?\*\.[\w.]+)+$/.test(text)) return filePattern(text.split(/,\s?/), ignoreCase);
  if (/^\.?\//.test(text) && readValue(text) !== 'regex') return filePattern([text], ignoreCase);
  return valuePattern(text, value, context, filePattern);
}

function valuePattern(
  text: string,
  value: FieldValue,
  context: FieldContext,
  globPattern: ((globs: readonly string[], ignoreCase: boolean) => TextPattern) | null,
): TextPattern {
  const ignoreCase = !context.exactCase;
  const how = readValue(text);
  if (how === 'glob' && globPattern) {
    refuseLongGlob(value, context);
    return globPattern([text], ignoreCase);
  }
  if (how !== 'regex') return textPattern(text, ignoreCase);
  checkAt(context.query, value.textAt + Math.max(0, value.text.indexOf(text)), text);
  return { source: text, literal: false, ignoreCase };
}

function branchPatternOf(value: FieldValue, context: FieldContext): TextPattern {
  const how = value.how === 'regex' ? 'regex' : readValue(value.text);
  if (how === 'glob') {
    refuseLongGlob(value, context);
    return branchPattern(value.text);
  }
  if (how === 'text') return { source: value.text, literal: true, ignoreCase: false };
  checkAt(context.query, value.textAt, value.text);
  return { source: value.text, literal: false, ignoreCase: false };
}

function globPart(glob: string, context: FieldContext): Part {
  return filter(
    { kind: 'text', pattern: filePattern([glob], !context.exactCase), where: 'path' },
    `in files ${cut(glob)}`,
  );
}

function languagePart({ value, written }: FieldToken, context: FieldContext): Part {
  const parts = value.text
    .split(',')
    .filter((name) => name.trim() !== '')
    .map((name) => {
      const language = languageNamed(name);
      if (language === null)
        throw badQuery(
          context.query,
          value,
          `There is no language "${cut(name)}"`,
          languageHint(name, written),
        );
      return languageFilter(language);
    });
  return anyOf(parts);
}

export function languageFilter(language: number): Part {
  return filter(languageNode(language), `in ${languageName(language)}`);
}

const CPP = languageNamed('c++')!;

/** A `.h` is C by its name alone; where C++ lies beside it, it may as well be that. */
const cppHeaders: QueryNode = {
  kind: 'all',
  of: [
    { kind: 'language', language: languageNamed('c')! },
    { kind: 'text', where: 'path', pattern: pathEnd('\\.h') },
    { kind: 'repository-has-file', path: pathEnd('\\.(?:cpp|cc|cxx|hpp|hh|hxx)'), content: null },
  ],
};

function languageNode(language: number): QueryNode {
  const named: QueryNode = { kind: 'language', language };
  return language === CPP ? { kind: 'any', of: [named, cppHeaders] } : named;
}

function pathEnd(source: string): TextPattern {
  return { source: `${source}$`, literal: false, ignoreCase: true };
}

/** Whether a filter says nothing but languages. */
export function saysLanguages(node: QueryNode): boolean {
  if (node.kind === 'any') return node.of.every(saysLanguages);
  return node.kind === 'language' || node === cppHeaders;
}

export function languageHint(name: string, written: string): string {
  const near = nearLanguages(name);
  return near.length > 0
    ? `Did you mean ${near.map((one) => `${written}:${/[\s:]/.test(one) ? `"${one}"` : one}`).join(' or ')}?`
    : 'Filter by extension instead, such as file:*.xyz.';
}

function flagPart(token: FieldToken, context: FieldContext): Part {
  const kind = token.field.name === 'fork' ? 'fork' : 'archived';
  const words = kind === 'fork' ? 'forks' : 'archived repositories';
  switch (token.value.text.toLowerCase()) {
    case 'yes':
    case 'only':
    case 'true':
      return filter({ kind, is: true }, `in ${words} only`);
    case 'no':
    case 'false':
      return filter({ kind, is: false }, `outside ${words}`);
    default:
      throw badQuery(
        context.query,
        token,
        `${token.written}: is yes, only or no`,
        `Write ${kind}:only or ${kind}:no; without it they are included.`,
      );
  }
}

function isPart(token: FieldToken, context: FieldContext): Part {
  const kind = token.value.text.toLowerCase();
  if (kind === 'archived') return filter({ kind: 'archived', is: true }, 'in archived repositories only');
  if (kind === 'fork') return filter({ kind: 'fork', is: true }, 'in forks only');
  throw badQuery(
    context.query,
    token,
    `is: knows archived and fork`,
    'Write is:archived or is:fork, or "is:" in quotes for the text.',
  );
}

/** Throws the matcher's error with its place in the whole query. */
export function checkAt(query: string, at: number, source: string): { fitsAll: boolean } {
  try {
    return checkRegex(source);
  } catch (error) {
    throw badRegex(query, at, error);
  }
}

function refuseLongGlob(value: FieldValue, { query }: FieldContext): void {
  if (value.text.length <= GLOB_LENGTH_MAX) return;
  throw badQuery(
    query,
    value,
    `A glob of more than ${GLOB_LENGTH_MAX} characters is too long`,
    'Write a shorter one.',
  );
}

/** Between slashes what is read as a regex, so that the reading tells it from a glob. */
function shown({ text, how }: FieldValue): string {
  const isRegex = how === 'regex' || readValue(text) === 'regex';
  return isRegex ? `/${cut(text)}/` : cut(text);
}

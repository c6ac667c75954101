import { documentClass } from '../../documents/document-class.ts';
import { languageOf } from '../../documents/languages.ts';
import type { QueryNode, TextPattern } from '../../queries/types.ts';
import type { ByteRange } from '../../regex/line-matcher.ts';
import { compileRegex, type Regex } from '../../regex/regex.ts';
import type { MatchedLine } from '../../regex/text-scan.ts';
import { RANGES_MAX } from '../content-matcher.ts';
import { isName } from '../definition-look.ts';
import { PathMatcher } from '../path-matcher.ts';
import { mergedRanges } from '../shown-line.ts';
import { definedWords } from './defined-words.ts';
import { oidOf, type TestBranch, type TestFile, type TestRepository } from './small-index.ts';

export interface NaiveFile {
  repositoryId: number;
  revision: string;
  path: string;
  matchedPath: boolean;
  /** Matched lines with where they match. */
  lines: { number: number; ranges: readonly ByteRange[] }[];
  /** Further places, in order. */
  also: string[];
}

interface Place {
  repository: TestRepository;
  branch: TestBranch;
  path: string;
  file: TestFile;
  oid: string;
}

interface Reasons {
  contents: Set<string>;
  paths: boolean;
}

const DEFINERS_FIRST = 40;
const PATHS_FIRST = 40;

/**
 * What a search must find: every document is read from its beginning to its end, in the order of ranks. It knows nothing of segments,
 * grams, candidates or blocks.
 */
export function naiveSearch(repositories: readonly TestRepository[], query: QueryNode): NaiveFile[] {
  const regexes = new Map<string, Regex>();
  const linesByPattern = new Map<Buffer, Map<string, readonly MatchedLine[]>>();
  const places = placesInOrder(repositories);
  const eitherTerms = positiveEither(query);
  const pathsFirst = eitherTerms.every((pattern) => new PathMatcher(pattern, regexOf).literals !== null)
    ? places
        .filter(({ path }) => eitherTerms.some((pattern) => regexOf(pattern).test(Buffer.from(path))))
        .slice(0, PATHS_FIRST)
    : [];
  const found: NaiveFile[] = [];
  const foundTexts = new Set<string>();
  const skipped = new Set<Place>();
  for (const oid of definersFirst()) {
    const before = found.length;
    for (const place of places) if (place.oid === oid && found.length === before) lookAt(place);
  }
  for (const place of pathsFirst) if (!skipped.has(place)) lookAt(place);
  for (const place of places) if (!skipped.has(place)) lookAt(place);
  return found;

  /** Texts that define a name which is searched as such. */
  function definersFirst(): string[] {
    const names = contentTexts(query).filter(({ literal, source }) => literal && isName(Buffer.from(source)));
    const definers = places.filter(({ file }) => {
      if (typeof file === 'string') return false;
      return definedWords(file).some((defined) => {
        return names.some(({ source, ignoreCase }) =>
          ignoreCase ? defined.name.toLowerCase() === source.toLowerCase() : defined.name === source,
        );
      });
    });
    return [...new Set(definers.map(({ oid }) => oid))].slice(0, DEFINERS_FIRST);
  }

  function lookAt(place: Place): void {
    const { oid, file } = place;
    skipped.add(place);
    if (typeof file !== 'string' && file.length > 0 && foundTexts.has(oid)) return;
    const reasons = { contents: new Set<string>(), paths: false };
    const asked = askedOf(query, place);
    if (asked === false || (asked !== true && fits(asked, place) !== true)) return;
    if (asked !== true) collect(asked, place, reasons);
    const byContent = reasons.contents.size > 0;
    const copies = places.filter((other) => {
      if (other === place || other.oid !== oid || typeof file === 'string') return false;
      return (byContent || other.path === place.path) && fits(query, other) === true;
    });
    if (byContent) foundTexts.add(oid);
    else for (const copy of copies) skipped.add(copy);
    found.push({
      repositoryId: place.repository.id,
      revision: place.branch.name,
      path: place.path,
      matchedPath: reasons.paths,
      lines: linesOf(file as Buffer, reasons.contents),
      also: copies.map(({ repository, branch, path }) => `${repository.id} ${branch.name} ${path}`),
    });
  }

  /** What is left of the query once everything is told that is true of the whole revision. */
  function askedOf(node: QueryNode, place: Place): QueryNode | boolean {
    if (node.kind === 'text' || node.kind === 'symbol' || node.kind === 'language') return node;
    if (node.kind === 'not') {
      const of = askedOf(node.of, place);
      return typeof of === 'boolean' ? !of : { kind: 'not', of };
    }
    if (node.kind !== 'all' && node.kind !== 'any') return fits(node, place)!;
    const decisive = node.kind === 'any';
    const of = node.of.map((part) => askedOf(part, place));
    if (of.includes(decisive)) return decisive;
    const open = of.filter((part) => typeof part !== 'boolean');
    return open.length === 0 ? !decisive : { kind: node.kind, of: open };
  }

  /** Null: it depends on a text that is not there. */
  function fits(node: QueryNode, place: Place): boolean | null {
    switch (node.kind) {
      case 'everything':
        return true;
      case 'all': {
        const parts = node.of.map((part) => fits(part, place));
        return parts.includes(false) ? false : parts.includes(null) ? null : true;
      }
      case 'any': {
        const parts = node.of.map((part) => fits(part, place));
        return parts.includes(true) ? true : parts.includes(null) ? null : false;
      }
      case 'not': {
        const truth = fits(node.of, place);
        return truth === null ? null : !truth;
      }
      case 'text': {
        const inPath = node.where !== 'content' && hasName(node.pattern, place.path);
        if (node.where === 'path' || inPath) return inPath;
        return typeof place.file === 'string' ? null : matchedLines(place.file, node.pattern).length > 0;
      }
      case 'language':
        return languageOf(place.path) === node.language;
      case 'repository': {
        const { host, name } = place.repository;
        return hasName(node.pattern, name) || hasName(node.pattern, `${host}/${name}`);
      }
      case 'branch':
        return (
          hasName(node.pattern, place.branch.name) ||
          (place.branch.isDefault && hasName(node.pattern, 'HEAD'))
        );
      case 'archived':
        return place.repository.archived === node.is;
      case 'fork':
        return place.repository.fork === node.is;
      case 'repository-has-file': {
        const { path, content } = node;
        return [...place.branch.files].some(
          ([name, file]) =>
            hasName(path, name) &&
            (content === null || (typeof file !== 'string' && matchedLines(file, content).length > 0)),
        );
      }
      case 'symbol':
        return typeof place.file === 'string' ? null : symbolsOf(place.file, node.pattern).length > 0;
    }
  }

  function collect(node: QueryNode, place: Place, reasons: Reasons): void {
    if (node.kind === 'text') {
      const { file } = place;
      const inText =
        node.where !== 'path' && typeof file !== 'string' && matchedLines(file, node.pattern).length > 0;
      if (inText) reasons.contents.add(JSON.stringify(node.pattern));
      if (node.where === 'either' && hasName(node.pattern, place.path)) reasons.paths = true;
    }
    if (node.kind === 'symbol' && fits(node, place) === true)
      reasons.contents.add(JSON.stringify({ ...node.pattern, isSymbol: true }));
    if (node.kind !== 'all' && node.kind !== 'any') return;
    for (const part of node.of) if (fits(part, place) === true) collect(part, place, reasons);
  }

  function linesOf(file: Buffer, patterns: ReadonlySet<string>): NaiveFile['lines'] {
    const lines = new Map<number, ByteRange[]>();
    for (const pattern of patterns) {
      const { isSymbol = false, ...text } = JSON.parse(pattern) as TextPattern & { isSymbol?: true };
      for (const { number, start, ranges } of isSymbol ? symbolsOf(file, text) : matchedLines(file, text)) {
        const known = lines.get(number) ?? [];
        for (const range of ranges) known.push({ start: range.start - start, end: range.end - start });
        lines.set(number, known);
      }
    }
    return [...lines]
      .sort(([a], [b]) => a - b)
      .map(([number, ranges]) => ({ number, ranges: mergedRanges(ranges) }));
  }

  function symbolsOf(file: Buffer, pattern: TextPattern): Pick<MatchedLine, 'number' | 'start' | 'ranges'>[] {
    const symbols = definedWords(file).filter(({ name }) => hasName(pattern, name));
    return symbols.map(({ nameLine, nameStart, nameEnd }) => ({
      number: nameLine,
      start: file.lastIndexOf(10, nameStart) + 1,
      ranges: [{ start: nameStart, end: nameEnd }],
    }));
  }

  function hasName(pattern: TextPattern, name: string): boolean {
    return regexOf(pattern).test(Buffer.from(name));
  }

  function matchedLines(file: Buffer, pattern: TextPattern): readonly MatchedLine[] {
    const known = linesByPattern.get(file) ?? new Map<string, readonly MatchedLine[]>();
    linesByPattern.set(file, known);
    const key = JSON.stringify([pattern.source, pattern.literal, pattern.ignoreCase]);
    const lines = known.get(key) ?? regexOf(pattern).scan(file, { rangesPerLine: RANGES_MAX }).lines;
    known.set(key, lines);
    return lines;
  }

  function regexOf({ source, literal, ignoreCase }: TextPattern): Regex {
    const key = JSON.stringify([source, literal, ignoreCase]);
    const regex = regexes.get(key) ?? compileRegex(source, { literal, ignoreCase });
    regexes.set(key, regex);
    return regex;
  }
}

function placesInOrder(repositories: readonly TestRepository[]): Place[] {
  const places = repositories.flatMap((repository) =>
    [...repository.branches]
      .sort((a, b) => Number(b.isDefault) - Number(a.isDefault) || (a.name < b.name ? -1 : 1))
      .flatMap((branch) =>
        [...branch.files]
          .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
          .map(([path, file]): Place => ({ repository, branch, path, file, oid: oidOf(file) })),
      ),
  );
  return [0, 1, 2, 3].flatMap((number) => places.filter(({ path }) => documentClass(path) === number));
}

/** Literal terms that are looked for in texts, also those under a `not`. */
function contentTexts(node: QueryNode): TextPattern[] {
  if (node.kind === 'text') return node.where === 'path' ? [] : [node.pattern];
  if (node.kind === 'not') return contentTexts(node.of);
  return node.kind === 'all' || node.kind === 'any' ? node.of.flatMap(contentTexts) : [];
}

function positiveEither(node: QueryNode): TextPattern[] {
  if (node.kind === 'text') return node.where === 'either' ? [node.pattern] : [];
  return node.kind === 'all' || node.kind === 'any' ? node.of.flatMap(positiveEither) : [];
}

import type { Repository } from '../../catalog/index.ts';
import type { FoundFile, FoundLine, FoundPlace } from '../../search/index.ts';
import { shortCommit } from '../tools/place.ts';
import type { OperationContext, Piece, Position, Row } from '../types.ts';
import { countSaid } from './search-words.ts';

export interface FileRowOptions {
  nameOf(repositoryId: number): string;
  repositoryOf(repositoryId: number): Repository | null;
  permalink: OperationContext<unknown>['permalink'];
  positionOf(index: number): Position;
  /** Paths without links: many of them go out. */
  namesAlone: boolean;
}

const PLACES_NAMED_MAX = 3;

/** One row for each file, its blocks as pieces: each file's best block goes out before any file's second one. */
export function fileRows(files: readonly FoundFile[], options: FileRowOptions): Row[] {
  return files.map((file, index): Row => {
    const link = linkOf(file, firstMatch(file.blocks[0]), options);
    return {
      heading: headingOf(file, options),
      text: [fileLine(file, options.namesAlone ? null : link), ...alsoLines(file, options)].join('\n'),
      pieces: file.blocks.flatMap(blockPieces),
      value: fileValue(file, link, options),
      position: options.positionOf(index),
      place: `${file.repositoryId}:${file.oid}:${file.path}`,
    };
  });
}

/** The repository at what is searched of it: rows stand below it. */
export function headingOf(
  file: Omit<FoundPlace, 'path'>,
  { nameOf }: Pick<FileRowOptions, 'nameOf'>,
): string {
  const commit = shortCommit(file.commit);
  const at = file.commit.startsWith(file.revision) ? commit : file.revision;
  return `${nameOf(file.repositoryId)}@${at}${at === commit ? '' : ` (commit ${commit})`}`;
}

function fileLine(file: FoundFile, link: string | null): string {
  const { lineCount, lineCountExact: exact } = file;
  const said = [file.path];
  if (lineCount > 0) said.push(countSaid({ count: lineCount, exact }, 'line'));
  else if (file.matchedPath) said.push('by its path');
  if (file.language) said.push(file.language);
  if (link) said.push(link);
  return said.join('  ');
}

function alsoLines({ also, alsoCount, ...file }: FoundFile, options: FileRowOptions): string[] {
  if (alsoCount === 0) return [];
  const most = options.namesAlone ? also.length : PLACES_NAMED_MAX;
  const named = also.slice(0, most).map((place) => placeName(place, file, options));
  const more = alsoCount - named.length;
  if (named.length === 0) return [`  same content in ${more} more ${more === 1 ? 'place' : 'places'}`];
  const how = options.namesAlone ? 'repo narrows it' : '"output": "files" names them';
  return [`  same content: ${named.join(', ')}${more > 0 ? ` and ${more} more (${how})` : ''}`];
}

function placeName(place: FoundPlace, beside: FoundPlace, { nameOf }: FileRowOptions): string {
  const root = `${nameOf(place.repositoryId)}@${place.revision}`;
  const samePath = place.path === beside.path;
  return samePath ? root : `${root}:${place.path}`;
}

/** Lines of a block that go out together: matches that stand close make blocks of any length. */
const PIECE_LINES_MAX = 12;
/** Of a line as a model reads it; the structured answer has more. */
const LINE_CHARACTERS_MAX = 200;
const BEFORE_MATCH = 40;

function blockPieces(block: readonly FoundLine[]): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < block.length; at += PIECE_LINES_MAX) {
    const lines = block.slice(at, at + PIECE_LINES_MAX);
    pieces.push({ text: lines.map(lineText).join('\n'), from: lines[0]!.number, to: lines.at(-1)!.number });
  }
  return pieces;
}

/** `>12` marks a match, ` 13` its neighbours: the number leads on to read_file. */
export function lineText({ matched, number, text, cut, ranges }: FoundLine): string {
  const mark = matched ? '>' : ' ';
  if (text.length <= LINE_CHARACTERS_MAX) return `${mark}${number}\t${text}${cut ? ' …' : ''}`;
  const match = ranges[0] ? Buffer.from(text).toString('utf8', 0, ranges[0].start).length : 0;
  const start = match + BEFORE_MATCH < LINE_CHARACTERS_MAX ? 0 : match - BEFORE_MATCH;
  const end = start + LINE_CHARACTERS_MAX;
  const shown = text.slice(start, end);
  return `${mark}${number}\t${start > 0 ? '… ' : ''}${shown}${end < text.length || cut ? ' …' : ''}`;
}

type Lines = { start: number; end: number } | null;

function firstMatch(block: readonly FoundLine[] | undefined): Lines {
  const line = block?.find(({ matched }) => matched);
  return line ? { start: line.number, end: line.number } : null;
}

function linkOf(file: FoundPlace, lines: Lines, options: FileRowOptions): string | null {
  const repository = options.repositoryOf(file.repositoryId);
  return repository && options.permalink({ repository, revision: { commit: file.commit } }, file.path, lines);
}

function fileValue(file: FoundFile, permalink: string | null, options: FileRowOptions) {
  const placeValue = ({ repositoryId, revision, commit, path }: FoundPlace) => ({
    repository: options.nameOf(repositoryId),
    revision,
    commit,
    path,
  });
  return {
    ...placeValue(file),
    oid: file.oid,
    language: file.language,
    score: file.score,
    permalink,
    lineCount: file.lineCount,
    lineCountExact: file.lineCountExact,
    matchedPath: file.matchedPath,
    pathRanges: file.pathRanges,
    blocks: file.blocks.map((block) => ({
      permalink: linkOf(file, spanOf(block), options),
      lines: block.map(({ number, text, matched, ranges, cut }) => ({
        line: number,
        text,
        matched,
        ranges,
        cut,
      })),
    })),
    also: file.also.map(placeValue),
    alsoCount: file.alsoCount,
  };
}

function spanOf(block: readonly FoundLine[]): Lines {
  const [first, last] = [block[0], block.at(-1)];
  return first && last ? { start: first.number, end: last.number } : null;
}

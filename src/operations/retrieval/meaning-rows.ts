import type { Repository } from '../../catalog/index.ts';
import type { ChunkPlace, RetrievedChunk } from '../../retrieval/index.ts';
import { headingOf, lineText } from '../codesearch/file-rows.ts';
import type { Slices, WantedLines } from '../graph/file-slices.ts';
import { shortened } from '../shortened.ts';
import type { OperationContext, Piece, Position, Row } from '../types.ts';
import { becauseSaid, copiesSaid, slicesSaid } from './meaning-said.ts';

export interface MeaningRowOptions {
  nameOf(repositoryId: number): string;
  repositoryOf(repositoryId: number): Repository | null;
  permalink: OperationContext<unknown>['permalink'];
  /** Of what stands behind a row. */
  positionOf(index: number): Position;
  slices: Slices;
  /** Whether to tell what was weighed. */
  explains: boolean;
  /** Lines of one hit; the rest of a longer one is left to read_file. */
  linesMax: number;
}

/** Lines that go out together. */
const PIECE_LINES = 10;
/** Lines above the one that names the symbol: its decorators, the end of its comment. */
const ABOVE_NAME = 2;
/** Of a line in the structured answer. */
const LINE_CHARACTERS_MAX = 400;
const SLICE_LINES_MAX = 80;
/** Headings are names, too, and hold whatever somebody wrote. */
const NAME_CHARACTERS_MAX = 120;

export function wantedLines(hits: readonly RetrievedChunk[]): WantedLines[] {
  return hits.map(({ place }) => ({ ...place, lines: linesOf(place) }));
}

function linesOf({ startLine, endLine }: ChunkPlace): number[] {
  const count = Math.min(SLICE_LINES_MAX, endLine - startLine + 1);
  return Array.from({ length: count }, (_, at) => startLine + at);
}

/** Whether the content door lets any of its lines out now. */
export function isReadable({ place }: RetrievedChunk, slices: Slices): boolean {
  return linesOf(place).some((line) => slices.line(place, line) !== null);
}

/** A row for each hit that is readable. */
export function meaningRows(hits: readonly RetrievedChunk[], options: MeaningRowOptions): Row[] {
  return hits.map((hit, index) => {
    const lines = linesOf(hit.place).flatMap((line): ShownLine[] => {
      const text = options.slices.line(hit.place, line);
      return text === null ? [] : [{ line, text }];
    });
    return rowOf(hit, lines, index, options);
  });
}

interface ShownLine {
  line: number;
  text: string;
}

function rowOf(
  hit: RetrievedChunk,
  lines: readonly ShownLine[],
  index: number,
  options: MeaningRowOptions,
): Row {
  const { place, name, container, kind, language } = hit;
  const link = linkOf(place, options);
  const said = [`${place.path}:${place.startLine}-${place.endLine}`];
  if (name !== '')
    said.push(shortened([kind, container].filter((word) => word !== null).join(' '), NAME_CHARACTERS_MAX));
  if (language !== null) said.push(language);
  if (link !== null) said.push(link);
  const shown = bestLines(hit, lines, options.linesMax);
  return {
    heading: headingOf(place, options),
    text: [
      said.join('  '),
      `  found by ${becauseSaid(hit.because)}`,
      ...slicesSaid(hit),
      ...copiesSaid(hit, (other) => placeSaid(other, place, options)),
    ].join('\n'),
    pieces: shown.map(pieceOf),
    value: hitValue(hit, shown.flat(), link, options),
    position: options.positionOf(index),
    place: `chunk:${place.repositoryId}:${place.path}:${place.startLine}`,
  };
}

/**
 * The lines of a hit in blocks, the most telling first: that with the name of its symbol, then those with most of the words that it
 * was found by.
 */
function bestLines(hit: RetrievedChunk, lines: readonly ShownLine[], linesMax: number): ShownLine[][] {
  if (lines.length <= Math.min(PIECE_LINES + ABOVE_NAME, linesMax)) return [[...lines]];
  const named = lines.findIndex(({ text }) => hit.name !== '' && text.includes(hit.name) && !isComment(text));
  const start = Math.max(0, named - ABOVE_NAME);
  const head = lines.slice(start, start + PIECE_LINES);
  const blocks = [...blocksOf(lines.slice(0, start)), ...blocksOf(lines.slice(start + PIECE_LINES))];
  const terms = hit.because.flatMap((reason) => (reason.by === 'keywords' ? reason.terms : []));
  const worth = (block: readonly ShownLine[]) =>
    terms.filter((term) => block.some(({ text }) => text.includes(term))).length;
  const ordered = blocks
    .map((block) => ({ block, worth: worth(block) }))
    .sort((a, b) => b.worth - a.worth)
    .map(({ block }) => block);
  return [head, ...ordered].slice(0, Math.max(1, Math.floor(linesMax / PIECE_LINES)));
}

function blocksOf(lines: readonly ShownLine[]): ShownLine[][] {
  const blocks: ShownLine[][] = [];
  for (let at = 0; at < lines.length; at += PIECE_LINES) blocks.push(lines.slice(at, at + PIECE_LINES));
  return blocks;
}

function isComment(text: string): boolean {
  return /^\s*(?:\/\/|\/\*|\*|#|--|"""|''')/.test(text);
}

function pieceOf(lines: readonly ShownLine[]): Piece {
  const text = lines
    .map(({ line, text }) => lineText({ number: line, text, matched: false, cut: false, ranges: [] }))
    .join('\n');
  return { text, from: lines[0]!.line, to: lines.at(-1)!.line };
}

function placeSaid(place: ChunkPlace, beside: ChunkPlace, { nameOf }: MeaningRowOptions): string {
  const root = `${nameOf(place.repositoryId)}@${place.revision}`;
  const isSameFile = place.path === beside.path && place.startLine === beside.startLine;
  return isSameFile ? root : `${root}:${place.path}:${place.startLine}`;
}

function linkOf(place: ChunkPlace, { repositoryOf, permalink }: MeaningRowOptions): string | null {
  const repository = repositoryOf(place.repositoryId);
  const lines = { start: place.startLine, end: place.endLine };
  return repository && permalink({ repository, revision: { commit: place.commit } }, place.path, lines);
}

function hitValue(
  hit: RetrievedChunk,
  lines: readonly ShownLine[],
  permalink: string | null,
  { nameOf, explains }: MeaningRowOptions,
) {
  const placeValue = ({ repositoryId, ...place }: ChunkPlace) => ({
    repository: nameOf(repositoryId),
    ...place,
  });
  return {
    ...placeValue(hit.place),
    permalink,
    name: hit.name,
    container: hit.container,
    kind: hit.kind,
    language: hit.language,
    score: hit.score,
    because: hit.because,
    ...(explains ? { features: hit.features } : {}),
    lines: [...lines]
      .sort((a, b) => a.line - b.line)
      .map(({ line, text }) => ({ line, text: text.slice(0, LINE_CHARACTERS_MAX) })),
    slices: hit.slices,
    also: hit.also.map(placeValue),
    alsoCount: hit.alsoCount,
    similar: hit.similar.map(placeValue),
    similarCount: hit.similarCount,
  };
}

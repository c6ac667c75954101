/** What the command line needs of codesearch's structured result. */
export interface FoundFileJson extends FoundPlaceJson {
  lineCount: number;
  blocks: readonly { lines: readonly FoundLineJson[] }[];
  /** Other places of the same content, in other branches too; `alsoCount` has all. */
  also: readonly FoundPlaceJson[];
  alsoCount: number;
}

export interface FoundPlaceJson {
  repository: string;
  path: string;
}

export interface FoundLineJson {
  line: number;
  text: string;
  matched: boolean;
  /** Bytes of the line. */
  ranges: readonly { start: number; end: number }[];
}

export interface LinePaint {
  place(text: string): string;
  number(text: string): string;
  match(text: string): string;
}

/** For pipes: no paint. */
export const plainPaint: LinePaint = { place: (text) => text, number: (text) => text, match: (text) => text };

/** A path that every tool takes back: the repository stands in front. */
function placeOf({ repository, path }: FoundPlaceJson): string {
  return `${repository}/${path}`;
}

/** Everywhere the file lies, each path once whatever branches have it. */
export function placesOf(file: FoundFileJson): string[] {
  return [...new Set([file, ...file.also].map(placeOf))];
}

/** Places that no answer names: there are too many. */
export function placesUnnamed(files: readonly FoundFileJson[]): number {
  return files.reduce((sum, { also, alsoCount }) => sum + alsoCount - also.length, 0);
}

const PLACES_NAMED_MAX = 3;

/** The places beside the first, for people; null for a file that lies at one alone. */
export function otherPlaces(file: FoundFileJson): string | null {
  const [, ...others] = placesOf(file);
  const named = others.slice(0, PLACES_NAMED_MAX);
  const more = others.length - named.length + placesUnnamed([file]);
  if (named.length === 0 && more === 0) return null;
  const rest = more > 0 ? ` and ${more} more (-l lists them)` : '';
  return `same content: ${named.join(', ')}${rest}`;
}

/** `place:line:column:text`, once for each match in each place: what editors read. */
export function vimgrepLines(file: FoundFileJson): string[] {
  const lines = matchedLines(file).flatMap(({ line, text, ranges }) =>
    (ranges.length > 0 ? ranges : [{ start: 0 }]).map(({ start }) => `${line}:${start + 1}:${text}`),
  );
  return placesOf(file).flatMap((place) =>
    (lines.length > 0 ? lines : ['1:1:']).map((line) => `${place}:${line}`),
  );
}

/** `place:line:text`, and `place-line-text` for the lines around: what other programs read. */
export function grepLines(file: FoundFileJson): string[] {
  const place = placeOf(file);
  const lines = blocksInOrder(file).flat();
  return lines.length === 0
    ? [place]
    : lines.map(({ line, text, matched }) =>
        matched ? `${place}:${line}:${text}` : `${place}-${line}-${text}`,
      );
}

/** The file once, its other places and its lines below it: what people read. */
export function readableLines(file: FoundFileJson, paint: LinePaint): string[] {
  const others = otherPlaces(file);
  const lines = [paint.place(visible(placeOf(file))), ...(others ? [visible(`  ${others}`)] : [])];
  for (const [index, block] of blocksInOrder(file).entries()) {
    if (index > 0) lines.push('--');
    for (const { line, text, matched, ranges } of block)
      lines.push(
        `${paint.number(String(line))}${matched ? ':' : '-'}${matched ? marked(text, ranges, paint) : visible(text)}`,
      );
  }
  return lines;
}

function matchedLines(file: FoundFileJson): FoundLineJson[] {
  return blocksInOrder(file)
    .flat()
    .filter(({ matched }) => matched);
}

function blocksInOrder({ blocks }: FoundFileJson): (readonly FoundLineJson[])[] {
  return blocks.map(({ lines }) => lines).sort((left, right) => (left[0]?.line ?? 0) - (right[0]?.line ?? 0));
}

function marked(text: string, ranges: FoundLineJson['ranges'], paint: LinePaint): string {
  const bytes = Buffer.from(text);
  let shown = '';
  let at = 0;
  for (const { start, end } of ranges) {
    if (start < at || end <= start) continue;
    shown +=
      visible(bytes.toString('utf8', at, start)) + paint.match(visible(bytes.toString('utf8', start, end)));
    at = end;
  }
  return shown + visible(bytes.toString('utf8', at));
}

/** What a repository holds must not steer the terminal. */
function visible(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '\u00b7');
}

/** Roughly what a model's tokeniser makes of code. */
const BYTES_PER_TOKEN = 4;

/** The first lines, as many as the tokens take. */
export function linesWithin(lines: readonly string[], tokens: number): readonly string[] {
  let left = tokens;
  const end = lines.findIndex((line) => {
    left -= Math.ceil((Buffer.byteLength(line) + 1) / BYTES_PER_TOKEN);
    return left < 0;
  });
  return end === -1 ? lines : lines.slice(0, end);
}

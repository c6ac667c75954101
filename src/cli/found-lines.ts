/** What the command line needs of codesearch's structured result. */
export interface FoundFileJson {
  repository: string;
  path: string;
  lineCount: number;
  blocks: readonly { lines: readonly FoundLineJson[] }[];
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
export function placeOf({ repository, path }: FoundFileJson): string {
  return `${repository}/${path}`;
}

/** `place:line:column:text`, once for each match: what editors read. */
export function vimgrepLines(file: FoundFileJson): string[] {
  const place = placeOf(file);
  const lines = matchedLines(file).flatMap(({ line, text, ranges }) =>
    (ranges.length > 0 ? ranges : [{ start: 0 }]).map(({ start }) => `${place}:${line}:${start + 1}:${text}`),
  );
  return lines.length > 0 ? lines : [`${place}:1:1:`];
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

/** The file once, its lines below it: what people read. */
export function readableLines(file: FoundFileJson, paint: LinePaint): string[] {
  const lines = [paint.place(visible(placeOf(file)))];
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

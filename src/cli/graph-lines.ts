/** What the command line needs of graph's structured result. */
export interface GraphPlaceJson {
  repository: string | null;
  path: string | null;
  confidence: string | null;
  found: readonly {
    name: string;
    container: string;
    signature: string | null;
    place: { repository: string; path: string; line: number; alsoCount: number } | null;
    lines: readonly { line: number; text: string }[];
  }[];
}

/** What lines of places cannot say by themselves. */
export function graphRemarks(places: readonly GraphPlaceJson[]): string[] {
  const remarks: string[] = [];
  const doubtful = places.filter(({ confidence }) => confidence === 'likely' || confidence === 'possible');
  if (doubtful.length > 0)
    remarks.push(`In ${counted(doubtful.length, 'place')} what is meant is not certain: --json says where.`);
  const copied = places.flatMap(({ found }) => found).filter(({ place }) => (place?.alsoCount ?? 0) > 0);
  if (copied.length > 0)
    remarks.push(`${counted(copied.length, 'definition')} also elsewhere, in files with the same content.`);
  return remarks;
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}

export interface GraphPaint {
  head(text: string): string;
  place(text: string): string;
  number(text: string): string;
  doubt(text: string): string;
}

/** `place:line:text` for each line, as grep writes it; what has no line of its own stands by its name. */
export function graphLines(places: readonly GraphPlaceJson[]): string[] {
  return places.flatMap(({ repository, path, found }) =>
    found.flatMap(({ container, signature, place, lines }) => {
      if (lines.length > 0) return lines.map(({ line, text }) => `${repository}/${path}:${line}:${text}`);
      return place
        ? [`${place.repository}/${place.path}:${place.line}:${signature ?? container}`]
        : [`${repository === null ? '' : `${repository}/${path}:`}${container}`];
    }),
  );
}

/** A repository at what was looked at of it, and what is told of all below. */
const HEADING =
  /^(?:\d steps away: )?\S+@\S+(?: \(commit [0-9a-f]+\))?(?::\S+)?(?=$| {2}(?:likely|possible): )/;

/** The answer as a model reads it, in colours: repositories, numbers of lines, and what is not certain. */
export function paintedGraph(text: string, paint: GraphPaint): string {
  return text
    .split('\n')
    .map((line, index) => {
      if (index === 0) return paint.head(visible(line));
      const code = /^([> ]\d+)\t(.*)$/s.exec(line);
      if (code) return `${paint.number(code[1]!)}\t${visible(code[2]!)}`;
      return visible(line)
        .replace(HEADING, paint.place)
        .replace(/ {2}(?:likely|possible): .*$/, paint.doubt);
    })
    .join('\n');
}

/** What a repository holds must not steer the terminal. */
function visible(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '\u00b7');
}

import type { Repository } from '../../catalog/index.ts';
import type { GraphNode, GraphRelation } from '../../symbols/index.ts';
import { headingOf, lineText } from '../codesearch/file-rows.ts';
import type { OperationContext, Piece, Position, Row } from '../types.ts';
import type { Slices } from './file-slices.ts';
import type { FoundGroup, FoundNode } from './graph-places.ts';
import { nodeSaid, sureness } from './graph-said.ts';
import { shownControls } from './shown-controls.ts';

export interface GraphRowOptions {
  relation: GraphRelation;
  nameOf(repositoryId: number): string;
  repositoryOf(repositoryId: number): Repository | null;
  permalink: OperationContext<unknown>['permalink'];
  /** Of what stands behind a row. */
  positionOf(index: number): Position;
  slices: Slices;
}

/** Lines of one use that a model reads; the structured answer has all. */
const LINES_SAID_MAX = 3;
/** Of a line in the structured answer. */
const LINE_BYTES_MAX = 400;
const NOWHERE = 'in no repository that you can read:';

/** A row for each group; none for what the content door does not let out now. */
export function graphRows(groups: readonly FoundGroup[], options: GraphRowOptions): Row[] {
  return groups.flatMap((group, index) => {
    const found = group.found.filter((one) => isReadable(one, options));
    if (found.length === 0) return [];
    const position = options.positionOf(index);
    return [
      readable(
        options.relation === 'outline'
          ? outlineRow(found[0]!, position, options)
          : row(found, position, options),
      ),
    ];
  });
}

/** What people read of a row, without controls that turn it around; programs get it as it is. */
function readable(row: Row): Row {
  return {
    ...row,
    ...(row.heading === undefined ? {} : { heading: shownControls(row.heading) }),
    text: shownControls(row.text),
    ...(row.pieces === undefined
      ? {}
      : { pieces: row.pieces.map((one) => ({ ...one, text: shownControls(one.text) })) }),
  };
}

function isReadable({ place, lines }: FoundNode, { slices }: GraphRowOptions): boolean {
  return place === null || lines.length === 0 || lines.some((line) => slices.line(place, line) !== null);
}

function row(found: readonly FoundNode[], position: Position, options: GraphRowOptions): Row {
  const { place, lines, edge, node } = found[0]!;
  const depth = edge?.depth ?? 1;
  const sure = edge && sureness(edge);
  const away = depth > 1 ? `${depth} steps away: ` : '';
  const link = place && linkOf(place, lines[0] ?? null, options);
  const said = [place === null ? nodeSaid(node) : place.path];
  const uses = found.reduce((sum, one) => sum + (one.edge?.uses ?? 0), 0);
  if (uses > 1) said.push(`${uses} uses`);
  if (node.place && node.place.alsoCount > 0) said.push(`same content in ${node.place.alsoCount} more`);
  if (link) said.push(link);
  const targets = new Set(found.map(({ other }) => other && nodeSaid(other)));
  return {
    // What is not certain is told once, above all that is so for one reason.
    heading: `${away}${place === null ? NOWHERE : headingOf(place, options)}${sure ? `  ${sure}` : ''}`,
    text: said.join('  '),
    pieces: piecesOf(found, { ...options, namesTarget: targets.size > 1 }),
    value: groupValue(found, options),
    position,
    place: `graph:${place ? `${place.repositoryId}:${place.path}` : node.name}:${lines[0] ?? ''}`,
  };
}

/** Several ways to the same place are told once. */
function piecesOf(found: readonly FoundNode[], options: GraphRowOptions & { namesTarget: boolean }): Piece[] {
  const pieces = found.map((one, index) => piece(one, index, options));
  return [...new Map(pieces.map((one) => [one.text, one])).values()];
}

function piece(found: FoundNode, index: number, options: GraphRowOptions & { namesTarget: boolean }): Piece {
  const { place, lines, node } = found;
  const shown = lines.flatMap((line) => {
    const text = place && options.slices.line(place, line);
    return text === null ? [] : [codeLine(line, text, node, options.relation)];
  });
  const most = options.relation === 'definitions' ? shown.length : LINES_SAID_MAX;
  const more = shown.length > most ? [`  … and on ${shown.length - most} more lines`] : [];
  const text = [`  ${foundSaid(found, options)}`, ...shown.slice(0, most), ...more].join('\n');
  return { text, from: index, to: index };
}

function codeLine(line: number, text: string, { name, place }: GraphNode, relation: GraphRelation): string {
  const at = Buffer.byteLength(text.slice(0, Math.max(0, text.indexOf(name))));
  const matched = relation !== 'definitions' || line === place?.line;
  return lineText({ number: line, text, matched, cut: false, ranges: [{ start: at, end: at }] });
}

/** What was found within a file, and how it uses or is used. */
function foundSaid(
  { node, edge, other }: FoundNode,
  { relation, namesTarget }: { relation: GraphRelation; namesTarget: boolean },
): string {
  if (edge === null || other === null) return nodeSaid(node);
  const of = namesTarget ? ` of ${nodeSaid(other)}` : '';
  if (edge.kind === 'dependency') {
    const version = edge.version ? ` ${edge.version}` : '';
    const scope = edge.scope && edge.scope !== 'run' ? ` (${edge.scope})` : '';
    return relation === 'dependents'
      ? `${nodeSaid(node)} wants ${other.name}${version}${scope}`
      : `${node.name}${version}${scope}${node.place ? '' : ', in no repository that you can read'}`;
  }
  const used = edge.uses > 1 ? ` × ${edge.uses}` : '';
  const who =
    node.kind === 'file' ? (relation === 'importers' ? 'the file' : 'the top of the file') : nodeSaid(node);
  switch (relation) {
    case 'callees':
    case 'supertypes':
    case 'imports': {
      const where = edge.lines.slice(0, LINES_SAID_MAX).join(', ');
      return `${nodeSaid(node)}: ${edge.kind}${used} at ${edge.path}:${where}`;
    }
    default:
      return `${who}: ${edge.kind}${used}${of}`;
  }
}

function outlineRow({ node, place }: FoundNode, position: Position, options: GraphRowOptions): Row {
  const { container, symbolKind, signature } = node;
  const depth = container.split('.').length - 1;
  const isSaid = symbolKind === null || (signature ?? '').split(' ').includes(symbolKind);
  const { startLine = 1, endLine = 1 } = node.place ?? {};
  const span = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  return {
    ...(place ? { heading: `${headingOf(place, options)}:${place.path}` } : {}),
    text: `${'  '.repeat(Math.min(depth, 8))}${span}  ${isSaid ? '' : `${symbolKind} `}${signature ?? node.name}`,
    value: groupValue([{ node, place, lines: [], edge: null, other: null }], options),
    position,
    place: `graph:${place?.repositoryId}:${place?.path}:${startLine}`,
  };
}

function linkOf(
  { repositoryId, commit, path }: NonNullable<FoundNode['place']>,
  line: number | null,
  { repositoryOf, permalink }: GraphRowOptions,
): string | null {
  const repository = repositoryOf(repositoryId);
  return (
    repository &&
    permalink({ repository, revision: { commit } }, path, line === null ? null : { start: line, end: line })
  );
}

function groupValue(found: readonly FoundNode[], options: GraphRowOptions) {
  const { place, lines, edge } = found[0]!;
  return {
    repository: place && options.nameOf(place.repositoryId),
    revision: place?.revision ?? null,
    commit: place?.commit ?? null,
    path: place?.path ?? null,
    permalink: place && linkOf(place, lines[0] ?? null, options),
    depth: edge?.depth ?? 0,
    confidence: edge?.confidence ?? null,
    how: edge?.how ?? null,
    found: found.map((one) => ({
      ...nodeValue(one.node, options),
      edge: one.edge && {
        kind: one.edge.kind,
        uses: one.edge.uses,
        path: one.edge.path,
        lines: one.edge.lines,
        of: one.other ? nodeSaid(one.other) : '',
        version: one.edge.version ?? null,
        scope: one.edge.scope ?? null,
      },
      lines: one.lines.flatMap((line) => {
        const text = one.place && options.slices.line(one.place, line);
        return text === null ? [] : [{ line, text: cutLine(text) }];
      }),
    })),
  };
}

function cutLine(text: string): string {
  if (text.length <= LINE_BYTES_MAX) return text;
  return Buffer.from(text)
    .toString('utf8', 0, LINE_BYTES_MAX)
    .replace(/\uFFFD$/, '');
}

/** A node for programs. */
export function nodeValue(node: GraphNode, { nameOf }: Pick<GraphRowOptions, 'nameOf'>) {
  const { place, ...rest } = node;
  return {
    kind: rest.kind,
    name: rest.name,
    container: rest.container,
    symbolKind: rest.symbolKind,
    exported: rest.exported,
    signature: rest.signature,
    language: rest.language,
    ecosystem: rest.ecosystem,
    version: rest.version,
    place: place && {
      repository: nameOf(place.repositoryId),
      revision: place.revision,
      commit: place.commit,
      path: place.path,
      line: place.line,
      startLine: place.startLine,
      endLine: place.endLine,
      alsoCount: place.alsoCount,
    },
  };
}

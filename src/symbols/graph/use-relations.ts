import type { ReferenceKind } from '../../search/index.ts';
import type { Found, GraphGround } from './graph-question.ts';
import type { Meant } from './resolver/types.ts';
import type { GraphEdge } from './types.ts';
import { type FoundUse, searchUses } from './use-search.ts';

/** Files that the first step of one answer looks at, and all further steps together. */
const FILES_MAX = 100;
const FURTHER_FILES_MAX = 40;
const FURTHER_FILES_EACH = 8;
/** Uses that are resolved: a file may hold hundreds. */
const USES_MAX = 300;
const FURTHER_USES_EACH = 40;
const FURTHER_FOUND_EACH = 10;
/** Definitions that a further step starts from. */
const EXPANDED_MAX = 10;

const kindsOfRelation: Readonly<Record<UseRelation, readonly ReferenceKind[] | null>> = {
  references: null,
  callers: ['call', 'new', 'member-call'],
  subtypes: ['extends', 'implements', 'embeds'],
};

export type UseRelation = 'references' | 'callers' | 'subtypes';

/** Who uses a definition, and who uses those. */
export function usesOf(relation: UseRelation, targets: readonly Meant[], ground: GraphGround): Found {
  const { request, view, work, filter, position, nodes } = ground;
  if (targets.length === 0) return { edges: [], count: { count: 0, exact: true }, stopped: null, next: null };
  const kinds = kindsOfRelation[relation];
  const starts = targets.map((target) => startOf(ground, target));
  const wave = searchUses({
    view,
    work,
    filter,
    targets: starts,
    kinds,
    filesMax: request.exact ? Number.POSITIVE_INFINITY : FILES_MAX,
    usesMax: request.exact ? Number.POSITIVE_INFINITY : USES_MAX,
    foundMax: request.exact ? Number.POSITIVE_INFINITY : request.placesMax + position.offset,
    from: position.from,
    to: position.to,
  });
  const ranked = [...wave.found].sort((a, b) => weight(a) - weight(b));
  const end = position.offset + request.placesMax;
  const page = ranked.slice(position.offset, end);
  const edges: GraphEdge[] = page.map((use) => edgeOf(ground, use, 1));
  const isRest = end < ranked.length;
  const next = isRest
    ? { ...position, to: wave.stopped === null ? position.to : (wave.next ?? 0), offset: end }
    : wave.next !== null
      ? { from: wave.next, to: 0, offset: 0, before: position.before + ranked.length }
      : null;
  if ((request.depth ?? 1) > 1) further(relation, page, ground, edges);
  const isWhole = wave.stopped === null && position.to === 0;
  const listed = { count: position.before + ranked.length, exact: isWhole };
  return { edges: onceEach(edges), count: listed, stopped: wave.stopped, next };

  function further(of: UseRelation, first: readonly FoundUse[], at: GraphGround, into: GraphEdge[]): void {
    const seen = new Set(starts.map(keyOf));
    let level = first;
    const filesBefore = work.files;
    let expanded = 0;
    for (let depth = 2; depth <= Math.min(3, request.depth ?? 1); depth++) {
      const found: FoundUse[] = [];
      for (const target of startsOf(level)) {
        const spent = work.files - filesBefore;
        if (
          seen.has(keyOf(target)) ||
          expanded >= EXPANDED_MAX ||
          spent >= FURTHER_FILES_MAX ||
          work.isOver()
        )
          continue;
        seen.add(keyOf(target));
        expanded++;
        const { found: uses } = searchUses({
          view,
          work,
          filter,
          targets: [startOf(at, target)],
          kinds: kindsOfRelation[of],
          filesMax: FURTHER_FILES_EACH,
          usesMax: FURTHER_USES_EACH,
          foundMax: FURTHER_FOUND_EACH,
          from: 0,
          to: 0,
        });
        for (const use of uses) if (use.confidence !== 'possible') found.push(use);
      }
      for (const use of found) into.push(edgeOf(at, use, depth));
      level = found;
    }
  }

  function edgeOf(at: GraphGround, use: FoundUse, depth: number): GraphEdge {
    return {
      from: nodes.of({ file: use.file, symbol: use.from }),
      to: nodes.of(use.target),
      kind: use.kind,
      path: at.view.pathOf(use.file),
      lines: use.lines,
      uses: use.uses,
      how: use.how,
      confidence: use.confidence,
      depth,
    };
  }
}

/** Whoever makes an object names its type. */
function startOf({ view }: GraphGround, target: Meant): Meant {
  const symbols = view.symbolsOf(target.file);
  const symbol = symbols[target.symbol];
  return symbol?.kind === 'constructor' && symbol.parent >= 0 ? { ...target, symbol: symbol.parent } : target;
}

function startsOf(level: readonly FoundUse[]): Meant[] {
  return level
    .filter(({ from, confidence }) => from >= 0 && confidence !== 'possible')
    .map(({ file, from }) => ({ file, symbol: from }));
}

function keyOf({ file, symbol }: Meant): string {
  return `${file} ${symbol}`;
}

function weight({ confidence }: FoundUse): number {
  return confidence === 'possible' ? 1 : 0;
}

export function onceEach(edges: readonly GraphEdge[]): GraphEdge[] {
  const seen = new Set<string>();
  return edges.filter(({ from, to, kind, confidence }) => {
    const key = `${from} ${to} ${kind} ${confidence}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

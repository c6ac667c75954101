import type { ReferenceFact, ReferenceKind, SymbolFact } from '../../search/index.ts';
import { type Found, type GraphGround, pageOf } from './graph-question.ts';
import { isHolder, isType } from './resolver/kind-fit.ts';
import type { Meant, Resolved } from './resolver/types.ts';
import type { GraphEdge } from './types.ts';
import { onceEach } from './use-relations.ts';

const callKinds: ReadonlySet<ReferenceKind> = new Set(['call', 'new', 'member-call']);
/** Calls of one definition that are resolved. */
const CALLS_MAX = 400;
/** Of a call that may mean several definitions. */
const POSSIBLE_MAX = 5;
const EXPANDED_MAX = 24;
const FURTHER_CALLS_MAX = 40;
const STARTS_MAX = 5;
const LINES_MAX = 10;

/** What a definition calls, and what those call. */
export function callees(targets: readonly Meant[], ground: GraphGround): Found {
  const edges: GraphEdge[] = [];
  const seen = new Set<string>();
  let level = targets.slice(0, STARTS_MAX);
  let stopped: Found['stopped'] = targets.length > STARTS_MAX ? 'limit' : null;
  let expanded = 0;
  for (let depth = 1; depth <= Math.min(3, ground.request.depth ?? 1); depth++) {
    const next: Meant[] = [];
    for (const target of level) {
      const key = `${target.file} ${target.symbol}`;
      if (seen.has(key) || (depth > 1 && expanded >= EXPANDED_MAX)) continue;
      seen.add(key);
      expanded++;
      if (ground.work.isOver()) {
        stopped = 'budget';
        break;
      }
      const { found, isCut } = calledBy(target, ground, depth);
      if (isCut && depth === 1) stopped ??= 'limit';
      for (const call of found) {
        edges.push(call.edge);
        if (call.edge.confidence !== 'possible' && call.meant.symbol >= 0) next.push(call.meant);
      }
    }
    level = next;
  }
  return paged(onceEach(edges), ground, stopped);
}

function calledBy(
  target: Meant,
  { view, work, filter, nodes, request }: GraphGround,
  depth: number,
): { found: { meant: Meant; edge: GraphEdge }[]; isCut: boolean } {
  const symbols = view.symbolsOf(target.file);
  const isInside = insideOf(symbols, target.symbol);
  const uses = view
    .referencesOf(target.file)
    .filter(({ kind, from }) => callKinds.has(kind) && isInside(from));
  const most = depth > 1 ? FURTHER_CALLS_MAX : request.exact ? uses.length : CALLS_MAX;
  const byTarget = new Map<string, { meant: Meant; edge: GraphEdge; lines: number[] }>();
  work.files++;
  const known = new Map<string, readonly Resolved[]>();
  const isByPlace = view.exact.knows(target.file);
  for (const use of uses.slice(0, most)) {
    work.uses++;
    // Where it stands decides what it means only by the symbol around it, unless an index tells of each place.
    const question = `${use.kind} ${use.name} ${use.receiver} ${use.receiverType} ${use.from} ${isByPlace ? use.start : ''}`;
    let resolved = known.get(question);
    if (resolved === undefined) {
      resolved = view.resolver.resolve(target.file, use);
      known.set(question, resolved);
    }
    for (const one of resolved.slice(0, POSSIBLE_MAX)) {
      const kind = one.symbol < 0 ? null : view.symbolsOf(one.file)[one.symbol]!.kind;
      if (!filter.file(one.file) || !filter.kind(kind)) continue;
      const key = `${one.file} ${one.symbol} ${use.kind}`;
      const same = byTarget.get(key);
      if (same !== undefined) {
        same.edge = { ...same.edge, uses: same.edge.uses + 1 };
        if (same.lines.length < LINES_MAX && !same.lines.includes(use.line)) same.lines.push(use.line);
        continue;
      }
      const lines = [use.line];
      const edge = {
        from: nodes.of(target),
        to: nodes.of(one),
        kind: use.kind,
        path: view.pathOf(target.file),
        lines,
        uses: 1,
        how: one.how,
        confidence: one.confidence,
        depth,
      };
      byTarget.set(key, { meant: { file: one.file, symbol: one.symbol }, edge, lines });
    }
  }
  return { found: [...byTarget.values()], isCut: uses.length > most };
}

/** Whether a symbol is another or within it. A file (-1) holds all. */
function insideOf(symbols: readonly SymbolFact[], outer: number): (symbol: number) => boolean {
  if (outer < 0) return () => true;
  const inside = new Uint8Array(symbols.length);
  // Parents come before their children.
  for (let at = outer; at < symbols.length; at++) {
    const parent = symbols[at]!.parent;
    if (at === outer || (parent >= 0 && inside[parent] === 1)) inside[at] = 1;
  }
  return (symbol) => symbol >= 0 && inside[symbol] === 1;
}

/** What types extend, implement and embed, up to `depth`. What is not visible is named. */
export function supertypes(targets: readonly Meant[], ground: GraphGround): Found {
  const { view, nodes, filter, work, request } = ground;
  const edges: GraphEdge[] = [];
  const seen = new Set<string>();
  let level: Meant[] = targets.map((target) => typeOf(ground, target));
  for (let depth = 1; depth <= Math.min(3, request.depth ?? 1); depth++) {
    const next: Meant[] = [];
    for (const type of level) {
      const key = `${type.file} ${type.symbol}`;
      if (seen.has(key) || work.isOver()) continue;
      seen.add(key);
      work.files++;
      const found = new Set<string>();
      for (const { reference, types } of view.resolver.members.heritage(type)) {
        work.uses++;
        const shown = types.filter(({ file, symbol }) => {
          return filter.file(file) && filter.kind(view.symbolsOf(file)[symbol]?.kind ?? null);
        });
        for (const one of shown) {
          found.add(`${one.file} ${one.symbol}`);
          edges.push(edge(type, nodes.of(one), reference, one, depth));
          next.push(one);
        }
        if (types.length === 0 && request.filters?.kinds === undefined) {
          const name =
            reference.receiver === null ? reference.name : `${reference.receiver}.${reference.name}`;
          edges.push(
            edge(
              type,
              nodes.named('symbol', name),
              reference,
              { how: 'name', confidence: 'possible' },
              depth,
            ),
          );
        }
      }
      // What it fulfils without a word in its head.
      for (const one of view.exact.implementedBy(type)) {
        const fact = view.symbolsOf(one.file)[one.symbol];
        if (found.has(`${one.file} ${one.symbol}`) || fact === undefined) continue;
        if (!filter.file(one.file) || !filter.kind(fact.kind)) continue;
        const line = view.symbolsOf(type.file)[type.symbol]?.nameLine ?? 1;
        edges.push(edge(type, nodes.of(one), { kind: 'implements', line }, one, depth));
        next.push(one);
      }
    }
    level = next;
  }
  return paged(onceEach(edges), ground, work.isOver() ? 'budget' : null);

  function edge(
    from: Meant,
    to: number,
    { kind, line }: Pick<ReferenceFact, 'kind' | 'line'>,
    { how, confidence }: Pick<Resolved, 'how' | 'confidence'>,
    depth: number,
  ): GraphEdge {
    const path = view.pathOf(from.file);
    return { from: nodes.of(from), to, kind, path, lines: [line], uses: 1, how, confidence, depth };
  }
}

/** The type itself, of a member the type around it. */
export function typeOf({ view }: GraphGround, { file, symbol }: Meant): Meant {
  const symbols = view.symbolsOf(file);
  for (let at = symbol; at >= 0; at = symbols[at]!.parent) {
    if (isType(symbols[at]!.kind) || isHolder(symbols[at]!.kind)) return { file, symbol: at };
  }
  return { file, symbol };
}

function paged(edges: readonly GraphEdge[], ground: GraphGround, stopped: Found['stopped']): Found {
  const { page, next } = pageOf(edges, ground);
  return {
    edges: page,
    count: { count: edges.length, exact: stopped === null },
    stopped: stopped ?? (next === null ? null : 'enough'),
    next,
  };
}

/** All definitions that a name means, the best first. */
export function definitions(candidates: readonly Meant[], count: Found['count'], ground: GraphGround): Found {
  const { view, filter, nodes } = ground;
  const shown = candidates.filter(({ file, symbol }) => {
    const kind = symbol < 0 ? null : (view.symbolsOf(file)[symbol]?.kind ?? null);
    return filter.file(file) && filter.kind(kind);
  });
  const { page, next } = pageOf(shown, ground);
  return {
    edges: [],
    listed: page.map((meant) => nodes.of(meant)),
    count: shown.length === candidates.length ? count : { count: shown.length, exact: count.exact },
    stopped: next === null ? null : 'enough',
    next,
  };
}

/** What a file, or a definition, holds. */
export function outline(targets: readonly Meant[], ground: GraphGround): Found {
  const { view, filter, nodes } = ground;
  const shown = targets.flatMap(({ file, symbol }) => {
    const symbols = view.symbolsOf(file);
    const isInside = insideOf(symbols, symbol);
    return symbols.flatMap(({ kind }, at) =>
      isInside(at) && at !== symbol && filter.kind(kind) ? [{ file, symbol: at }] : [],
    );
  });
  const { page, next } = pageOf(shown, ground);
  return {
    edges: [],
    listed: page.map((meant) => nodes.of(meant)),
    count: { count: shown.length, exact: true },
    stopped: next === null ? null : 'enough',
    next,
  };
}

import { IMPORTS_IT, kindsMask, type ReferenceFact, type ReferenceKind } from '../../search/index.ts';
import type { FoundFilter } from './found-filter.ts';
import type { GraphView } from './graph-view.ts';
import type { GraphWork } from './graph-work.ts';
import { importersOfFile } from './importers.ts';
import { importingTexts, moduleNamesOf, topNameOf } from './module-names.ts';
import { rulesOf } from './resolver/language-rules.ts';
import type { Meant, Resolved } from './resolver/types.ts';

export interface UseSearchOptions {
  view: GraphView;
  work: GraphWork;
  filter: FoundFilter;
  /** Definitions of one name. */
  targets: readonly Meant[];
  kinds: readonly ReferenceKind[] | null;
  /** Files looked at, uses resolved, and edges found, after which it is left there; well before where some have been found. */
  filesMax: number;
  usesMax: number;
  foundMax: number;
  /** Where in the order of files to begin and, where that is not 0, to end. */
  from: number;
  to: number;
}

/** Uses of one definition by one symbol. */
export interface FoundUse {
  file: number;
  /** The symbol that holds them, -1 for the top of the file. */
  from: number;
  target: Meant;
  kind: ReferenceKind;
  lines: number[];
  uses: number;
  how: Resolved['how'];
  confidence: Resolved['confidence'];
}

export interface UseSearchResult {
  found: FoundUse[];
  stopped: null | 'enough' | 'budget' | 'limit';
  /** Where in the order of files to go on; null where all were looked at. */
  next: number | null;
}

const LINES_MAX = 10;
/** Edges that are an answer, where further ones cost much. */
const ENOUGH_FOUND = 20;
/** Definitions of which is asked who imports them under whatever name. */
const DEFAULTS_MAX = 4;

/**
 * Looks for uses in the order in which they are worth reading: the file itself, its repository (what imports the name first), then who
 * imports the module from elsewhere.
 */
export function searchUses(options: UseSearchOptions): UseSearchResult {
  const { view, work, filter, targets } = options;
  const found: FoundUse[] = [];
  const search = new UseSearch(view, targets, options.kinds);
  const end = options.to === 0 ? Number.POSITIVE_INFINITY : options.to;
  const usesBefore = work.uses;
  let looked = 0;
  let at = options.from;
  for (; at < end; at++) {
    const file = search.fileAt(at);
    if (file === 0) break;
    const uses = work.uses - usesBefore;
    const isMuch =
      looked >= options.filesMax ||
      uses >= options.usesMax ||
      (found.length >= ENOUGH_FOUND && (looked >= options.filesMax / 2 || uses >= options.usesMax / 3));
    const ends = found.length >= options.foundMax ? 'enough' : isMuch ? 'limit' : null;
    if (ends !== null) return { found, stopped: ends, next: at };
    if (work.isOver()) return { found, stopped: 'budget', next: at };
    if (!filter.file(file)) continue;
    looked++;
    work.files++;
    for (const use of search.usesIn(file, work)) {
      const kind = use.from < 0 ? null : view.symbolsOf(file)[use.from]!.kind;
      if (filter.kind(kind)) found.push(use);
    }
  }
  return { found, stopped: null, next: search.fileAt(at) === 0 ? null : at };
}

/** What stands first in the order, and the other texts that name it; `imports` is null where an import leads there under another name. */
interface NearFiles {
  ranked: Uint32Array;
  elsewhere: { rank: number; place: number; imports: boolean | null }[];
}

const EVERY_WAY = -1;
const BEHIND_DOT = kindsMask(['member-call', 'member', 'annotation', 'new', 'type']) | IMPORTS_IT;

class UseSearch {
  readonly #view: GraphView;
  readonly #targets: readonly Meant[];
  readonly #kinds: ReadonlySet<ReferenceKind> | null;
  readonly #name: string;
  readonly #byKey = new Map<string, Meant>();
  /** Those of the targets that are what their module exports as a whole. */
  readonly #defaults: readonly Meant[];
  /** What indexes call the targets, by revision. */
  readonly #exact: ReadonlyMap<number, ReadonlyMap<number, Meant>>;

  #near: NearFiles | null = null;
  #far: Uint32Array | null = null;

  constructor(view: GraphView, targets: readonly Meant[], kinds: readonly ReferenceKind[] | null) {
    this.#view = view;
    this.#targets = targets;
    this.#kinds = kinds === null ? null : new Set(kinds);
    const { file, symbol } = targets[0]!;
    this.#name = view.symbolsOf(file)[symbol]!.name;
    for (const target of targets) {
      const key = this.#keyOf(target);
      if (!this.#byKey.has(key)) this.#byKey.set(key, target);
    }
    this.#defaults = targets.slice(0, DEFAULTS_MAX).filter((target) => this.#isDefaultExport(target));
    this.#exact = exactNumbers(view, targets);
  }

  /** The file at a place of the order, where it is meant; 0 behind the last. Who imports from elsewhere is looked up when it is their turn. */
  fileAt(at: number): number {
    this.#near ??= this.#filesNear();
    const { ranked } = this.#near;
    if (at < ranked.length) return ranked[at]!;
    this.#far ??= this.#filesFar(this.#near);
    return this.#far[at - ranked.length] ?? 0;
  }

  /** The files of the definitions themselves, then of their repositories. */
  #filesNear(): NearFiles {
    const view = this.#view;
    const own = new Set(this.#targets.map(({ file }) => view.places.bestPlace(file)));
    const revision = view.revisionOf(this.#targets[0]!.file);
    const repositories = new Set(this.#targets.map((target) => view.repositoryOf(target.file)));
    const tiers: number[][] = [[], [], []];
    const elsewhere: NearFiles['elsewhere'] = [];
    const seen = new Set<number>();
    const wanted = this.#wantedKinds();
    const { ranks, kinds, length } = view.names.using(this.#name);
    for (let i = 0; i < length; i++) {
      const rank = ranks[i]!;
      if ((kinds[i]! & wanted) === 0) continue;
      const imports = (kinds[i]! & IMPORTS_IT) !== 0;
      seen.add(rank);
      const place = view.places.placeFor(rank, revision);
      if (own.has(rank)) tiers[0]!.push(place);
      else if (repositories.has(view.repositoryOf(place))) tiers[imports ? 1 : 2]!.push(place);
      else elsewhere.push({ rank, place, imports });
    }
    // Default exports are called as everybody likes.
    for (const rank of this.#defaults.flatMap((target) => importersOfFile(view, target.file))) {
      if (seen.has(rank)) continue;
      seen.add(rank);
      const place = view.places.placeFor(rank, revision);
      if (repositories.has(view.repositoryOf(place))) tiers[1]!.push(place);
      else elsewhere.push({ rank, place, imports: null });
    }
    // Files that call it something else.
    for (const [at, symbols] of this.#exact) {
      for (const place of view.exact.filesWith(at, [...symbols.keys()])) {
        const rank = view.places.bestPlace(place);
        if (seen.has(rank)) continue;
        seen.add(rank);
        if (own.has(rank)) tiers[0]!.push(place);
        else if (repositories.has(view.repositoryOf(place))) tiers[1]!.push(place);
        else elsewhere.push({ rank, place, imports: null });
      }
    }
    return { ranked: inOrder(tiers), elsewhere };
  }

  /** Files of other repositories that import the module, then those that import the name from wherever. */
  #filesFar({ elsewhere }: NearFiles): Uint32Array {
    const view = this.#view;
    const tops = new Set(
      this.#targets.map((target) => topNameOf(view, target.file, target.symbol) ?? this.#name),
    );
    const isTop = tops.has(this.#name);
    const outside = elsewhere.length === 0 ? null : this.#importingFromOutside(isTop ? [] : [...tops]);
    const tiers: number[][] = [[], []];
    for (const { rank, place, imports } of elsewhere) {
      if (imports === null || outside?.has(rank)) tiers[0]!.push(place);
      else if (imports && isTop) tiers[1]!.push(place);
    }
    return inOrder(tiers);
  }

  /** Of the ways in which texts use the name, those that can be meant, as bits of postings. */
  #wantedKinds(): number {
    // An index may know of uses by other kinds and names than facts do.
    if (this.#exact.size > 0) return EVERY_WAY;
    const asked = this.#kinds === null ? EVERY_WAY : kindsMask([...this.#kinds]) | IMPORTS_IT;
    // Methods are named behind a dot, unless the language takes the type around a use for granted.
    const view = this.#view;
    const isBehindDot = this.#targets.every(
      ({ file, symbol }) =>
        view.symbolsOf(file)[symbol]!.kind === 'method' && !rulesOf(view.languageOf(file)).implicitThis,
    );
    return isBehindDot ? asked & BEHIND_DOT : asked;
  }

  #importingFromOutside(tops: readonly string[]): Set<number> {
    const view = this.#view;
    const found = new Set<number>();
    const first = new Map(
      this.#targets.map((target) => [`${view.revisionOf(target.file)} ${view.pathOf(target.file)}`, target]),
    );
    for (const target of [...first.values()].slice(0, 4))
      for (const rank of importingTexts(view, moduleNamesOf(view, target))) found.add(rank);
    for (const top of tops) {
      const { ranks, kinds, length } = view.names.using(top);
      for (let i = 0; i < length; i++) if (kinds[i]! & IMPORTS_IT) found.add(ranks[i]!);
    }
    return found;
  }

  usesIn(file: number, work: GraphWork): FoundUse[] {
    const found = new Map<string, FoundUse>();
    // Where it stands decides what a use means only by the symbol around it, unless an index tells of each place.
    const known = new Map<string, FoundUse | null>();
    const isByPlace = this.#view.exact.knows(file);
    const told = new Set<number>();
    for (const name of this.#namesIn(file)) {
      for (const use of this.#view.usesIn(file, name)) {
        told.add(use.start);
        if (this.#kinds !== null && !this.#kinds.has(use.kind)) continue;
        work.uses++;
        const question = `${use.kind} ${use.name} ${use.receiver} ${use.receiverType} ${use.from} ${isByPlace ? use.start : ''}`;
        let edge = known.get(question);
        if (edge === undefined) {
          edge = this.#edgeOf(file, use);
          known.set(question, edge);
        }
        if (edge !== null) this.#add(found, { ...edge, lines: [use.line] });
      }
    }
    if (isByPlace) for (const use of this.#exactIn(file, told, work)) this.#add(found, use);
    if (isByPlace && this.#kinds?.has('implements')) {
      for (const use of this.#implementersIn(file, [...found.values()])) this.#add(found, use);
    }
    return [...found.values()].sort((a, b) => a.lines[0]! - b.lines[0]!);
  }

  #add(found: Map<string, FoundUse>, use: FoundUse): void {
    const key = `${use.from} ${this.#keyOf(use.target)} ${use.kind} ${use.confidence}`;
    const same = found.get(key);
    if (same === undefined) {
      found.set(key, use);
      return;
    }
    same.uses++;
    const line = use.lines[0]!;
    if (same.lines.length < LINES_MAX && !same.lines.includes(line)) same.lines.push(line);
  }

  /** Uses that an index names and that go by another name here, or that facts do not know. */
  #exactIn(file: number, told: ReadonlySet<number>, work: GraphWork): FoundUse[] {
    const view = this.#view;
    const targets = this.#exact.get(view.revisionOf(file));
    if (targets === undefined) return [];
    const numbers = [...targets.keys()];
    const found: FoundUse[] = [];
    const common = { file, uses: 1, how: 'scip', confidence: 'certain' } as const;
    const uses = view.exact.usesIn(file, numbers).filter(({ start }) => !told.has(start));
    // Where the file imports it, that place is no use; with another name for it, two places are.
    let imported = view
      .importsOfName(file, this.#name)
      .reduce((count, { name, local }) => count + (local === name || local === '' ? 1 : 2), 0);
    if (uses.length > imported) {
      const facts = new Map(view.referencesOf(file).map((fact) => [fact.start, fact]));
      const imports = new Set(view.importsOf(file).map(({ line }) => line));
      const lines = new LinesOf(() => view.texts.bytesOf(file));
      const symbols = view.symbolsOf(file);
      for (const { start, symbol } of uses) {
        work.uses++;
        const fact = facts.get(start);
        const line = fact?.line ?? lines.at(start);
        if (fact === undefined && (imports.has(line) || imported > 0)) {
          imported--;
          continue;
        }
        const kind = fact?.kind ?? 'use';
        if (this.#kinds !== null && !this.#kinds.has(kind)) continue;
        const from = fact?.from ?? symbols.findLastIndex((one) => one.start <= start && start < one.end);
        found.push({ ...common, from, target: targets.get(symbol)!, kind, lines: [line] });
      }
    }
    return found;
  }

  /** Types that an index knows to fulfil a target without saying so in their heads. */
  #implementersIn(file: number, said: readonly FoundUse[]): FoundUse[] {
    const view = this.#view;
    const found: FoundUse[] = [];
    for (const [number, target] of this.#exact.get(view.revisionOf(file)) ?? []) {
      for (const { symbol } of view.exact.implementersIn(file, [number])) {
        const fact = view.symbolsOf(file)[symbol];
        if (fact === undefined || said.some((use) => use.from === symbol && use.target === target)) continue;
        const lines = [fact.nameLine];
        found.push({
          file,
          from: symbol,
          target,
          kind: 'implements',
          lines,
          uses: 1,
          how: 'scip',
          confidence: 'certain',
        });
      }
    }
    return found;
  }

  /** The name itself and what imports call it there. */
  #namesIn(file: number): Set<string> {
    const names = new Set([this.#name]);
    for (const { name, local } of this.#view.importsOfName(file, this.#name))
      if (name === this.#name && local !== '') names.add(local);
    if (this.#defaults.length === 0) return names;
    for (const one of this.#view.importsOf(file)) {
      if (one.local === '' || names.has(one.local) || (one.name !== 'default' && one.name !== '*')) continue;
      names.add(one.local);
    }
    return names;
  }

  #edgeOf(file: number, use: ReferenceFact): FoundUse | null {
    for (const resolved of this.#view.resolver.resolve(file, use)) {
      const target = this.#byKey.get(this.#keyOf(resolved));
      if (target === undefined) continue;
      const { how, confidence } = resolved;
      return { file, from: use.from, target, kind: use.kind, lines: [use.line], uses: 1, how, confidence };
    }
    return null;
  }

  #isDefaultExport(target: Meant): boolean {
    const { view, exports } = { view: this.#view, exports: this.#view.resolver.exports };
    if (rulesOf(view.languageOf(target.file)).modules !== 'ecmascript') return false;
    if (view.symbolsOf(target.file)[target.symbol]!.parent >= 0) return false;
    const found = exports.findIn({ kind: 'file', file: target.file }, 'default');
    return found.some(({ file, symbol }) => file === target.file && symbol === target.symbol);
  }

  /** Copies of a file are one. */
  #keyOf({ file, symbol }: Meant): string {
    return `${this.#view.contentOf(file)} ${symbol}`;
  }
}

function inOrder(tiers: readonly number[][]): Uint32Array {
  return Uint32Array.from(tiers.flatMap((tier) => Array.from(Uint32Array.from(tier).sort())));
}

function exactNumbers(view: GraphView, targets: readonly Meant[]): Map<number, Map<number, Meant>> {
  const found = new Map<number, Map<number, Meant>>();
  for (const target of targets) {
    for (const [revision, numbers] of view.exact.numbersOf(target)) {
      const known = found.get(revision) ?? new Map<number, Meant>();
      for (const number of numbers) if (!known.has(number)) known.set(number, target);
      found.set(revision, known);
    }
  }
  return found;
}

/** Lines of ascending places in one text. */
class LinesOf {
  readonly #read: () => Buffer | null;
  #bytes: Buffer | null | undefined;
  #line = 1;
  #from = 0;

  constructor(read: () => Buffer | null) {
    this.#read = read;
  }

  at(start: number): number {
    this.#bytes ??= this.#read();
    if (this.#bytes === null) return 1;
    for (let end = this.#bytes.indexOf(10, this.#from); end >= 0 && end < start; ) {
      this.#line++;
      this.#from = end + 1;
      end = this.#bytes.indexOf(10, this.#from);
    }
    return this.#line;
  }
}

import { ANY_CODE_POINT, CODE_POINT_MAX, type CodePointSet, setOf } from './code-point-set.ts';

/**
 * The Unicode tables behind `\p{..}` and `(?i)`, asked of V8 at first use: nothing to ship and nothing to update,
 * but the answers follow the ICU of the running Node.
 */

const SURROGATES = { first: 0xd800, last: 0xdfff };
// Planes 4 to 13 hold no assigned character; what V8 says of one of them is true of all.
const EMPTY_PLANES = { first: 0x40000, last: 0xdffff };
const PLANE = 0x10000;

const properties = new Map<string, CodePointSet | undefined>();
let planeTexts: string[] | undefined;
let orbits: CaseOrbits | undefined;

interface CaseOrbits {
  /** Every code point to all others that fold with it. */
  others: Map<number, number[]>;
  /** The keys of `others` in ascending order. */
  sorted: number[];
}

/** Builds the tables that would otherwise cost the first pattern in any case some 20 ms; the first with a `\p{..}` finds its own. */
export function warmRegexTables(): void {
  caseOrbits();
}

/** The set of `\p{name}`: a general category or a script by short or long name, or one of Any, ASCII, Assigned. Undefined if there is none. */
export function unicodeProperty(name: string): CodePointSet | undefined {
  if (!properties.has(name)) properties.set(name, findProperty(name));
  return properties.get(name);
}

function findProperty(name: string): CodePointSet | undefined {
  if (!/^[A-Za-z][A-Za-z _-]*$/.test(name)) return undefined;
  const canonical = canonicalName(name);
  if (canonical === 'Any') return ANY_CODE_POINT;
  if (canonical === 'Ascii') return [0, 0x7f];
  const forms =
    canonical === 'Assigned'
      ? ['Assigned']
      : [name, canonical].flatMap((form) => [`General_Category=${form}`, `Script=${form}`]);
  for (const form of forms) {
    const set = ask(form);
    if (set) return set;
  }
  return undefined;
}

/** Names are compared loosely, as Unicode TR18 wants it: `greek`, `old italic` and `OLD_ITALIC` are found. */
function canonicalName(name: string): string {
  return name
    .split(/[ _-]+/)
    .filter((part) => part !== '')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1).toLowerCase())
    .join('_');
}

function ask(form: string): CodePointSet | undefined {
  let members: RegExp;
  let member: RegExp;
  try {
    members = new RegExp(`\\p{${form}}+`, 'gu');
    member = new RegExp(`\\p{${form}}`, 'u');
  } catch {
    return undefined;
  }
  const ranges: number[] = [];
  for (const text of allPlanes()) {
    for (const [run] of text.matchAll(members)) pushRun(ranges, run);
  }
  if (member.test(String.fromCodePoint(EMPTY_PLANES.first)))
    ranges.push(EMPTY_PLANES.first, EMPTY_PLANES.last);
  return setOf(ranges);
}

/** A run of V8 may jump over what the texts leave out (surrogates, empty planes), so it is cut at every gap. */
function pushRun(ranges: number[], run: string): void {
  let low = run.codePointAt(0)!;
  let previous = low;
  for (const character of run) {
    const codePoint = character.codePointAt(0)!;
    if (codePoint > previous + 1) {
      ranges.push(low, previous);
      low = codePoint;
    }
    previous = codePoint;
  }
  ranges.push(low, previous);
}

/** All code points that UTF-8 can hold, a string for each plane. */
function allPlanes(): string[] {
  if (planeTexts) return planeTexts;
  planeTexts = [];
  for (let base = 0; base <= CODE_POINT_MAX; base += PLANE) {
    if (base < EMPTY_PLANES.first || base > EMPTY_PLANES.last) planeTexts.push(planeText(base));
  }
  return planeTexts;
}

function planeText(base: number): string {
  const units: number[] = [];
  for (let codePoint = base; codePoint < base + PLANE; codePoint++) {
    if (codePoint >= SURROGATES.first && codePoint <= SURROGATES.last) continue;
    if (codePoint < PLANE) units.push(codePoint);
    else units.push(0xd800 + ((codePoint - PLANE) >> 10), 0xdc00 + (codePoint & 0x3ff));
  }
  return Buffer.from(Uint16Array.from(units).buffer).toString('utf16le');
}

/** The set closed under Unicode's simple case folding. */
export function foldCase(set: CodePointSet): CodePointSet {
  const { others, sorted } = caseOrbits();
  const added: number[] = [];
  for (let i = 0; i < set.length; i += 2) {
    for (let at = firstAtLeast(sorted, set[i]!); at < sorted.length && sorted[at]! <= set[i + 1]!; at++) {
      for (const other of others.get(sorted[at]!)!) added.push(other, other);
    }
  }
  return added.length > 0 ? setOf([...set, ...added]) : set;
}

function firstAtLeast(sorted: readonly number[], wanted: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

function caseOrbits(): CaseOrbits {
  orbits ??= findOrbits();
  return orbits;
}

/** Joins every code point with its upper and lower case; what is joined, however indirectly, folds together (K, k and the Kelvin sign). */
function findOrbits(): CaseOrbits {
  const parents = new Map<number, number>();
  const rootOf = (codePoint: number): number => {
    let root = codePoint;
    for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up;
    return root;
  };
  const changing: number[] = [];
  for (const text of allPlanes()) {
    for (const [character] of text.matchAll(/[\p{CWL}\p{CWU}]/gu)) {
      const codePoint = character.codePointAt(0)!;
      changing.push(codePoint);
      for (const mapped of [character.toLowerCase(), character.toUpperCase()]) {
        const to = simpleMapping(codePoint, mapped);
        if (to !== undefined && rootOf(codePoint) !== rootOf(to)) parents.set(rootOf(codePoint), rootOf(to));
      }
    }
  }
  return orbitsOf(changing, rootOf);
}

const DOTLESS_I = 0x131;
const CAPITAL_I_WITH_DOT = 0x130;

/** What one code point maps to, if that is a simple fold: no mapping to several characters, and the Turkish letters fold with nothing. */
function simpleMapping(from: number, mapped: string): number | undefined {
  const to = mapped.codePointAt(0)!;
  if (to === from || mapped.length !== String.fromCodePoint(to).length) return undefined;
  if (from === DOTLESS_I || from === CAPITAL_I_WITH_DOT) return undefined;
  return to;
}

function orbitsOf(changing: readonly number[], rootOf: (codePoint: number) => number): CaseOrbits {
  const groups = new Map<number, Set<number>>();
  for (const codePoint of changing) {
    const root = rootOf(codePoint);
    const group = groups.get(root) ?? new Set([root]);
    groups.set(root, group.add(codePoint));
  }
  const others = new Map<number, number[]>();
  for (const group of groups.values()) {
    for (const codePoint of group) {
      if (group.size > 1)
        others.set(
          codePoint,
          [...group].filter((other) => other !== codePoint),
        );
    }
  }
  return { others, sorted: [...others.keys()].sort((a, b) => a - b) };
}

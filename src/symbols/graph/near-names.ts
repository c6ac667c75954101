import { editDistance } from '../../base/edit-distance.ts';
import { containerOf } from './answer-nodes.ts';
import type { GraphView } from './graph-view.ts';
import { isData } from './resolver/kind-fit.ts';
import type { GraphStart } from './types.ts';

const NEAR_MAX = 5;
const PREFIX_LETTERS = 3;
const NAME_MAX = 100;
const RESOLVED_MAX = 20;
/** A courtesy beside an answer: what is not found in this time is not looked for. */
const BUDGET_MS = 15;
/** So much is looked at however slow the machine is: blocks of names, or manifests. */
const LOOKS_MIN = 32;

/** Where a start means nothing: what is written like it, the nearest first, and never the start itself. */
export function nearNames(start: GraphStart, view: GraphView): string[] {
  if (start.by !== 'name' && start.by !== 'package') return [];
  const written = start.name.trim();
  if (written.length > NAME_MAX || /\s/.test(written)) return [];
  const until = performance.now() + BUDGET_MS;
  let looks = 0;
  const isOver = () => ++looks > LOOKS_MIN && performance.now() > until;
  const found =
    start.by === 'package'
      ? nearPackages(written, view, isOver)
      : nearDefinitions(written, start.repositories ?? null, view, isOver);
  return [...new Set(found)].filter((one) => one !== written).slice(0, NEAR_MAX);
}

function nearDefinitions(
  written: string,
  repositories: readonly number[] | null,
  view: GraphView,
  isOver: () => boolean,
): string[] {
  const parts = written.split(/::|->|[.#\\/]/).filter((part) => part !== '');
  const name = parts[parts.length - 1] ?? '';
  const names = new Set<string>();
  // The longest beginnings first: fewer names have them, and they may be all that there is time for.
  const beginnings = [name.length - 2, Math.ceil(name.length / 2)].filter((long) => long > PREFIX_LETTERS);
  const prefixes = [
    ...beginnings.map((long) => name.slice(0, long)),
    ...spellings(name.slice(0, PREFIX_LETTERS)),
  ];
  for (const prefix of prefixes)
    for (const one of view.names.definedWithPrefix(
      prefix,
      (other) => distanceOf(other, name) !== null,
      isOver,
    ))
      names.add(one);
  const found = new Set<string>();
  for (const one of nearest([...names], name).slice(0, RESOLVED_MAX)) {
    if (found.size >= NEAR_MAX) break;
    const places = view.names
      .allDefinitions(one)
      .filter(({ file, kind }) => !isData(kind) && (repositories?.includes(view.repositoryOf(file)) ?? true))
      .slice(0, parts.length === 1 ? 1 : NEAR_MAX);
    for (const { file, symbol } of places)
      found.add(parts.length === 1 ? one : containerOf(view, file, symbol));
    found.delete(written);
  }
  return [...found];
}

function nearPackages(written: string, view: GraphView, isOver: () => boolean): string[] {
  const names = new Set<string>();
  for (const { fact } of view.packageFiles) {
    if (isOver()) break;
    for (const name of [fact.name ?? '', ...fact.dependencies.map((one) => one.name)])
      if (distanceOf(name, written) !== null || distanceOf(lastPart(name), lastPart(written)) !== null)
        names.add(name);
  }
  return nearest([...names], written);
}

function nearest(names: readonly string[], wanted: string): string[] {
  return names
    .map((name) => ({ name, distance: distanceOf(name, wanted) ?? Number.POSITIVE_INFINITY }))
    .sort((one, other) => one.distance - other.distance || (one.name < other.name ? -1 : 1))
    .map(({ name }) => name);
}

/** Slips between two names, in whatever case; a name that goes on behind the wanted one is a step further away. Null: not near. */
function distanceOf(name: string, wanted: string): number | null {
  const slips = wanted.length <= 5 ? 1 : 2;
  const [one, other] = [name.toLowerCase(), wanted.toLowerCase()];
  if (Math.abs(one.length - other.length) <= slips) {
    const distance = editDistance(other, one, slips);
    if (distance <= slips && (wanted.length >= PREFIX_LETTERS || distance === 0)) return distance;
  }
  return wanted.length >= PREFIX_LETTERS && one.startsWith(other) ? slips + 1 : null;
}

function spellings(prefix: string): Set<string> {
  const lower = prefix.toLowerCase();
  return new Set([prefix, lower, lower.slice(0, 1).toUpperCase() + lower.slice(1), prefix.toUpperCase()]);
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

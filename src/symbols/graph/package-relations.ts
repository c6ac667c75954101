import type { DependencyFact, Ecosystem } from '../../search/index.ts';
import { type Found, type GraphGround, pageOf } from './graph-question.ts';
import type { GraphView } from './graph-view.ts';
import { packageName } from './package-places.ts';
import { folderOf } from './resolver/paths.ts';
import type { PackagePlace } from './resolver/types.ts';
import type { GraphEdge } from './types.ts';

interface Dependent {
  place: PackagePlace;
  dependency: DependencyFact;
}

/** Who depends on what, over all manifests that a view shows. */
export class DependencyTable {
  readonly #view: GraphView;
  #dependents: Map<string, Dependent[]> | null = null;

  constructor(view: GraphView) {
    this.#view = view;
  }

  dependentsOf(ecosystem: Ecosystem, name: string): readonly Dependent[] {
    this.#dependents ??= this.#build();
    return this.#dependents.get(`${ecosystem} ${packageName(ecosystem, name)}`) ?? [];
  }

  #build(): Map<string, Dependent[]> {
    const dependents = new Map<string, Dependent[]>();
    const seen = new Set<string>();
    for (const { file, revision, repository, path, fact } of this.#view.packageFiles) {
      // The branches of a repository mostly say the same: the first tells.
      const key = `${repository} ${path}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const place = { file, revision, fact, folder: folderOf(path) };
      for (const dependency of fact.dependencies) {
        const name = `${fact.ecosystem} ${packageName(fact.ecosystem, dependency.name)}`;
        const known = dependents.get(name);
        if (known) known.push({ place, dependency });
        else dependents.set(name, [{ place, dependency }]);
      }
    }
    return dependents;
  }
}

/** Manifests that depend on packages. */
export function dependents(
  packages: readonly PackagePlace[],
  names: readonly { name: string; ecosystem: Ecosystem | null }[],
  table: DependencyTable,
  ground: GraphGround,
): Found {
  const { view, nodes, filter, request } = ground;
  const edges: GraphEdge[] = [];
  const seen = new Set<string>();
  let level: { ecosystem: Ecosystem; name: string; to: () => number }[] = [
    ...packages.flatMap((place) => named(place, ground)),
    ...names.flatMap(({ name, ecosystem }) =>
      (ecosystem === null ? ecosystemsOf(view) : [ecosystem]).map((one) => ({
        ecosystem: one,
        name,
        to: () => nodes.named('package', name, { ecosystem: one }),
      })),
    ),
  ];
  for (let depth = 1; depth <= Math.min(3, request.depth ?? 1); depth++) {
    const next: typeof level = [];
    for (const { ecosystem, name, to } of level) {
      const key = `${ecosystem} ${packageName(ecosystem, name)}`;
      if (seen.has(key)) continue;
      seen.add(key);
      for (const { place, dependency } of table.dependentsOf(ecosystem, name)) {
        if (!filter.file(place.file)) continue;
        edges.push(edge(ground, place, to(), dependency, depth));
        next.push(...named(place, ground));
      }
    }
    level = next;
  }
  return paged(edges, ground);
}

/** What packages depend on, visible or not. */
export function dependencies(packages: readonly PackagePlace[], ground: GraphGround): Found {
  const { view, nodes, filter, request } = ground;
  const edges: GraphEdge[] = [];
  const seen = new Set<number>();
  let level = packages;
  for (let depth = 1; depth <= Math.min(3, request.depth ?? 1); depth++) {
    const next: PackagePlace[] = [];
    for (const place of level) {
      if (seen.has(place.file)) continue;
      seen.add(place.file);
      const { ecosystem } = place.fact;
      for (const dependency of place.fact.dependencies) {
        const held = view.packages.named(ecosystem, dependency.name, place.revision)[0];
        if (held !== undefined && !filter.file(held.file)) continue;
        if (held === undefined && request.filters?.repositories !== undefined) continue;
        const to =
          held === undefined ? nodes.named('package', dependency.name, { ecosystem }) : nodes.package(held);
        edges.push(edge(ground, place, to, dependency, depth));
        if (held !== undefined) next.push(held);
      }
    }
    level = next;
  }
  return paged(edges, ground);
}

function named(
  place: PackagePlace,
  { nodes }: GraphGround,
): { ecosystem: Ecosystem; name: string; to: () => number }[] {
  const { name, ecosystem } = place.fact;
  return name === null ? [] : [{ ecosystem, name, to: () => nodes.package(place) }];
}

function ecosystemsOf(view: GraphView): Ecosystem[] {
  return [...new Set(view.packageFiles.map(({ fact }) => fact.ecosystem))];
}

function edge(
  { view, nodes }: GraphGround,
  place: PackagePlace,
  to: number,
  { line, version, scope }: DependencyFact,
  depth: number,
): GraphEdge {
  return {
    from: nodes.package(place),
    to,
    kind: 'dependency',
    path: view.pathOf(place.file),
    lines: [line],
    uses: 1,
    how: 'manifest',
    confidence: 'certain',
    depth,
    version,
    scope,
  };
}

function paged(edges: readonly GraphEdge[], ground: GraphGround): Found {
  const { page, next } = pageOf(edges, ground);
  return {
    edges: page,
    count: { count: edges.length, exact: true },
    stopped: next === null ? null : 'enough',
    next,
  };
}

import type { ImportFact } from '../../search/index.ts';
import { type Found, type GraphGround, pageOf } from './graph-question.ts';
import { importersOfFile } from './importers.ts';
import { importingTexts } from './module-names.ts';
import { rulesOf } from './resolver/language-rules.ts';
import { folderOf } from './resolver/paths.ts';
import type { ModuleTarget, PackagePlace } from './resolver/types.ts';
import type { Confidence, EdgeFinding, GraphEdge } from './types.ts';
import { onceEach } from './use-relations.ts';

const EXPANDED_MAX = 24;
/** Files that are looked at for whether they import another. */
const IMPORTERS_LOOKED_AT = 400;
const FURTHER_LOOKED_AT = 60;
const LINES_MAX = 10;

interface Imported {
  node: number;
  /** 0 where it is no single file. */
  file: number;
  how: EdgeFinding;
  confidence: Confidence;
}

/** What files import: files, packages, definitions of namespaces; what is not visible by its name. */
export function imports(files: readonly number[], ground: GraphGround): Found {
  const { request, work } = ground;
  const edges: GraphEdge[] = [];
  const seen = new Set<number>();
  let level = files;
  let expanded = 0;
  for (let depth = 1; depth <= Math.min(3, request.depth ?? 1); depth++) {
    const next: number[] = [];
    for (const file of level) {
      if (seen.has(file) || (depth > 1 && expanded++ >= EXPANDED_MAX) || work.isOver()) continue;
      seen.add(file);
      work.files++;
      for (const { edge, file: imported } of importsOf(file, ground, depth)) {
        edges.push(edge);
        if (imported > 0) next.push(imported);
      }
    }
    level = next;
  }
  return paged(onceEach(edges), ground, work.isOver() ? 'budget' : null);
}

function importsOf(file: number, ground: GraphGround, depth: number): { edge: GraphEdge; file: number }[] {
  const { view, nodes, filter, work } = ground;
  const found = new Map<number, { edge: GraphEdge; file: number; lines: number[] }>();
  for (const one of view.importsOf(file)) {
    // The file itself, by another name.
    if (one.module === '') continue;
    work.uses++;
    for (const imported of targetsOf(file, one, ground)) {
      if (imported.file > 0 && !filter.file(imported.file)) continue;
      const known = found.get(imported.node);
      if (known !== undefined) {
        known.edge = { ...known.edge, uses: known.edge.uses + 1 };
        if (known.lines.length < LINES_MAX && !known.lines.includes(one.line)) known.lines.push(one.line);
        continue;
      }
      const lines = [one.line];
      const { how, confidence } = imported;
      const from = nodes.of({ file, symbol: -1 });
      const edge: GraphEdge = {
        from,
        to: imported.node,
        kind: 'import',
        path: view.pathOf(file),
        lines,
        uses: 1,
        how,
        confidence,
        depth,
      };
      found.set(imported.node, { edge, file: imported.file, lines });
    }
  }
  return [...found.values()];
}

function targetsOf(file: number, one: ImportFact, { view, nodes }: GraphGround): Imported[] {
  const places = view.resolver.modules.ofImport(file, one);
  const confidence: Confidence = places.length > 1 ? 'likely' : 'certain';
  const found: Imported[] = [];
  for (const { target } of places) {
    if (target.kind === 'file') {
      found.push({
        node: nodes.of({ file: target.file, symbol: -1 }),
        file: target.file,
        how: 'import',
        confidence,
      });
    } else if (target.kind === 'namespace') {
      for (const hit of one.name === '*' ? [] : view.resolver.resolveImport(file, one)) {
        found.push({ node: nodes.of(hit), file: hit.file, how: 'namespace', confidence: hit.confidence });
      }
    } else {
      const place = view.packages.around(
        target.revision,
        `${target.folder}x`,
        ecosystemOf(view.languageOf(file)),
      );
      const node = nodes.named('package', one.module, place === null ? {} : { folderOf: place.file });
      found.push({ node, file: 0, how: 'package', confidence });
    }
  }
  if (found.length > 0) return found;
  return [{ node: nodes.named('package', one.module), file: 0, how: 'name', confidence: 'possible' }];
}

function ecosystemOf(language: string | null): 'go' | 'npm' {
  return rulesOf(language).modules === 'go' ? 'go' : 'npm';
}

/** Who imports files, and who imports those. */
export function importers(files: readonly number[], ground: GraphGround): Found {
  const { view, request, work, nodes, filter } = ground;
  const edges: GraphEdge[] = [];
  const seen = new Set<number>();
  let level = files;
  let stopped: Found['stopped'] = null;
  let expanded = 0;
  for (let depth = 1; depth <= Math.min(3, request.depth ?? 1); depth++) {
    const next: number[] = [];
    for (const file of level) {
      if (seen.has(file) || (depth > 1 && expanded++ >= EXPANDED_MAX)) continue;
      seen.add(file);
      const most =
        depth > 1 ? FURTHER_LOOKED_AT : request.exact ? Number.POSITIVE_INFINITY : IMPORTERS_LOOKED_AT;
      const revision = view.revisionOf(file);
      const candidates = importersOfFile(view, file)
        .map((rank) => view.places.placeFor(rank, revision))
        .sort((a, b) => nearness(ground, a, file) - nearness(ground, b, file) || a - b);
      if (candidates.length > most && depth === 1) stopped = 'limit';
      for (const importer of candidates.slice(0, most)) {
        if (work.isOver()) {
          stopped = 'budget';
          break;
        }
        if (!filter.file(importer)) continue;
        work.files++;
        const lines = importingLines(importer, file, ground);
        if (lines.length === 0) continue;
        edges.push({
          from: nodes.of({ file: importer, symbol: -1 }),
          to: nodes.of({ file, symbol: -1 }),
          kind: 'import',
          path: view.pathOf(importer),
          lines: lines.slice(0, LINES_MAX),
          uses: lines.length,
          how: 'import',
          confidence: 'certain',
          depth,
        });
        next.push(importer);
      }
    }
    level = next;
  }
  return paged(onceEach(edges), ground, stopped);
}

function nearness({ view }: GraphGround, importer: number, file: number): number {
  return view.repositoryOf(importer) === view.repositoryOf(file) ? 0 : 1;
}

/** Lines of a file that import another. */
function importingLines(importer: number, file: number, { view, work }: GraphGround): number[] {
  const wanted = view.contentOf(file);
  const path = view.pathOf(file);
  const lines = new Set<number>();
  for (const one of view.importsOf(importer)) {
    work.uses++;
    const places = view.resolver.modules.ofImport(importer, one);
    const leads = places.some(({ target }) => leadsTo(target, one));
    // `from package import module` names a module as if it were a definition.
    const isModule =
      !leads &&
      rulesOf(view.languageOf(importer)).modules === 'python' &&
      view.resolver
        .resolveImport(importer, one)
        .some((hit) => hit.symbol < 0 && view.contentOf(hit.file) === wanted);
    if (leads || isModule) lines.add(one.line);
  }
  return [...lines].sort((a, b) => a - b);

  function leadsTo(target: ModuleTarget, one: ImportFact): boolean {
    switch (target.kind) {
      case 'file':
        return view.contentOf(target.file) === wanted && view.pathOf(target.file) === path;
      case 'folder':
        return folderOf(path) === target.folder && view.revisionOf(file) === target.revision;
      case 'namespace':
        return (
          one.name !== '*' && view.resolver.resolveImport(importer, one).some((hit) => hit.file === file)
        );
      default:
        return false;
    }
  }
}

/** Files that import anything of packages. */
export function packageImporters(
  places: readonly PackagePlace[],
  names: readonly string[],
  ground: GraphGround,
): Found {
  const { view, nodes, filter, work, request } = ground;
  const edges: GraphEdge[] = [];
  const wanted = [
    ...new Set([...places.flatMap(({ fact }) => (fact.name === null ? [] : [fact.name])), ...names]),
  ];
  let stopped: Found['stopped'] = null;
  for (const name of wanted) {
    const place = places.find(({ fact }) => fact.name === name);
    const to = place === undefined ? nodes.named('package', name) : nodes.package(place);
    const forms = [name, name.replaceAll('-', '_')];
    const ranks = importingTexts(view, {
      exact: new Set(forms),
      prefixes: new Set(forms.flatMap((form) => [`${form}/`, `${form}.`, `${form}::`])),
    });
    const most = request.exact ? Number.POSITIVE_INFINITY : IMPORTERS_LOOKED_AT;
    if (ranks.size > most) stopped = 'limit';
    for (const file of [...Uint32Array.from(ranks).sort()].slice(0, most)) {
      if (work.isOver()) {
        stopped = 'budget';
        break;
      }
      if (!filter.file(file)) continue;
      work.files++;
      const named = view
        .importsOf(file)
        .filter(({ module }) =>
          forms.some((form) => module === form || /^[/.:]/.test(afterPrefix(module, form))),
        )
        .map(({ line }) => line);
      const lines = [...new Set(named)];
      if (lines.length === 0) continue;
      edges.push({
        from: nodes.of({ file, symbol: -1 }),
        to,
        kind: 'import',
        path: view.pathOf(file),
        lines: lines.slice(0, LINES_MAX),
        uses: named.length,
        how: 'import',
        confidence: 'likely',
        depth: 1,
      });
    }
  }
  return paged(onceEach(edges), ground, stopped);
}

function afterPrefix(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : '';
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

import type { Ecosystem, SymbolFact } from '../../search/index.ts';
import type { GraphView } from './graph-view.ts';
import { ownerOf } from './resolver/type-members.ts';
import type { Meant, PackagePlace } from './resolver/types.ts';
import type { GraphNode, GraphPlace } from './types.ts';

/** The nodes of an answer, each once. */
export class AnswerNodes {
  readonly nodes: GraphNode[] = [];
  readonly #view: GraphView;
  readonly #positions = new Map<string, number>();

  constructor(view: GraphView) {
    this.#view = view;
  }

  /** Position of a definition, or of a file. */
  of({ file, symbol }: Meant): number {
    return this.#once(`${file} ${symbol}`, () => this.#made(file, symbol));
  }

  /** A package by its manifest. */
  package({ file, fact }: PackagePlace): number {
    return this.#once(`p ${file}`, () => ({
      ...bare(fact.name ?? this.#view.pathOf(file)),
      kind: 'package',
      place: this.#placeOf(file, null),
      ecosystem: fact.ecosystem,
      version: fact.version,
    }));
  }

  /** A package or module that is not visible, or no single file. */
  named(
    kind: 'package' | 'symbol',
    name: string,
    more: { ecosystem?: Ecosystem; folderOf?: number } = {},
  ): number {
    return this.#once(`n ${kind} ${more.ecosystem ?? ''} ${name}`, () => ({
      ...bare(name),
      kind,
      ecosystem: more.ecosystem ?? null,
      place: more.folderOf === undefined ? null : this.#folderPlace(more.folderOf),
    }));
  }

  #once(key: string, make: () => GraphNode): number {
    const known = this.#positions.get(key);
    if (known !== undefined) return known;
    const position = this.nodes.push(make()) - 1;
    this.#positions.set(key, position);
    return position;
  }

  #made(file: number, symbol: number): GraphNode {
    const fact = this.#view.symbolsOf(file)[symbol];
    const node = { ...bare(this.#view.pathOf(file)), language: this.#view.languageOf(file) };
    if (fact === undefined) return { ...node, kind: 'file', place: this.#placeOf(file, null) };
    return {
      ...node,
      kind: 'symbol',
      name: fact.name,
      container: containerOf(this.#view, file, symbol),
      symbolKind: fact.kind,
      exported: fact.exported,
      signature: this.#signature(file, fact),
      place: this.#placeOf(file, fact),
    };
  }

  #signature(file: number, { signatureStart, signatureEnd }: SymbolFact): string | null {
    const bytes = this.#view.texts.partOf(file, signatureStart, signatureEnd);
    return bytes === null ? null : bytes.toString('utf8').replace(/\s+/g, ' ').trim();
  }

  #placeOf(file: number, fact: SymbolFact | null): GraphPlace {
    const { entry, repository, manifest } = this.#view.shown[this.#view.revisionOf(file)]!;
    return {
      repositoryId: repository.id,
      revision: entry.revision,
      commit: manifest.head.commit,
      path: this.#view.pathOf(file),
      line: fact?.nameLine ?? 1,
      startLine: fact?.startLine ?? 1,
      endLine: fact?.endLine ?? 1,
      alsoCount: Math.max(0, this.#view.places.placesOf(file) - 1),
    };
  }

  #folderPlace(file: number): GraphPlace {
    const place = this.#placeOf(file, null);
    return { ...place, path: place.path.slice(0, place.path.lastIndexOf('/') + 1), alsoCount: 0 };
  }
}

/** Names around a symbol and its own, with dots; of a method whose type is in another file, the type's. */
export function containerOf(view: GraphView, file: number, symbol: number): string {
  const symbols = view.symbolsOf(file);
  const names: string[] = [];
  for (let at = symbol; at >= 0; at = symbols[at]!.parent) names.unshift(symbols[at]!.name);
  if (names.length === 1 && symbols[symbol]!.kind === 'method') {
    const owner = ownerOf(view, file, symbol);
    if (owner !== null) names.unshift(owner);
  }
  return names.join('.');
}

function bare(name: string): GraphNode {
  return {
    kind: 'symbol',
    name,
    container: name,
    symbolKind: null,
    exported: false,
    signature: null,
    place: null,
    language: null,
    ecosystem: null,
    version: null,
  };
}

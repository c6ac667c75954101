import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { InThreadSearch } from '../../../search/engine/testing/in-thread-search.ts';
import { SmallIndex, type TestRepository } from '../../../search/engine/testing/small-index.ts';
import { type FactsOutcome, languageName, languageOf } from '../../../search/index.ts';
import { createExtractor, type Extractor } from '../../extractor/create-extractor.ts';
import { takeScipIndex } from '../../scip/take-scip-index.ts';
import { indexBytes, type WrittenIndex } from '../../scip/testing/write-index.ts';
import { GraphAnswers } from '../run-graph.ts';
import type { GraphAnswer, GraphEdge, GraphNode, GraphRequest } from '../types.ts';

export type Extraction = (path: string, text: Uint8Array) => FactsOutcome;

/** Extraction of the languages that tests of the graph are written in. */
export async function testExtractor(): Promise<{ extract: Extraction; extractor: Extractor }> {
  const extractor = await createExtractor({
    languages: ['TypeScript', 'JavaScript', 'Python', 'Go', 'Java'],
  });
  const extract: Extraction = (path, text) =>
    extractor.extract({ language: languageName(languageOf(path)) ?? '', path, text });
  return { extract, extractor };
}

/** A repository with one branch. */
export function graphRepository(
  id: number,
  name: string,
  files: Readonly<Record<string, string>>,
): TestRepository {
  return {
    id,
    host: 'git.example',
    name,
    archived: false,
    fork: false,
    branches: [
      {
        name: 'main',
        isDefault: true,
        committedMs: id,
        files: new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])),
      },
    ],
  };
}

/** The graph of an index, asked in the thread that asks. */
export class GraphIndex {
  readonly index: SmallIndex;
  readonly #answers = new GraphAnswers();
  #search: InThreadSearch | null = null;

  private constructor(index: SmallIndex) {
    this.index = index;
  }

  static async create(extract: Extraction): Promise<GraphIndex> {
    return new GraphIndex(await SmallIndex.create(extract));
  }

  async publish(repositories: readonly TestRepository[]): Promise<void> {
    await this.index.publish(repositories);
    await this.#search?.refresh();
  }

  /** Takes in what a SCIP index says of a repository's branch. */
  async upload({ id, branches }: TestRepository, index: WrittenIndex): Promise<void> {
    const upload = path.join(this.index.folder, 'upload');
    writeFileSync(upload, indexBytes(index));
    const { files } = branches[0]!;
    const textOf = (name: string) => {
      const file = files.get(name);
      return file instanceof Buffer ? file : null;
    };
    await this.index.addScip(id, (file) => {
      const options = { upload, file, root: '', textOf, mask: () => 0, fileBytesMax: 1 << 20 };
      return takeScipIndex(options).summary.fileBytes;
    });
    await this.#search?.refresh();
  }

  async refresh(): Promise<void> {
    await this.#search?.refresh();
  }

  async ask(
    request: Pick<GraphRequest, 'relation' | 'start' | 'scope'> & Partial<GraphRequest>,
  ): Promise<GraphAnswer> {
    this.#search ??= await InThreadSearch.open(this.index.folder);
    const { scope, revisions = new Map(), ...rest } = request;
    const question = { placesMax: 50, exact: false, after: null, budgetMs: 60_000, ...rest };
    const ground = this.#search.ground({
      scope,
      revisions,
      budgetMs: question.budgetMs,
      generation: null,
      question,
    });
    return JSON.parse(JSON.stringify(this.#answers.answer(question, ground))) as GraphAnswer;
  }

  async close(): Promise<void> {
    await this.#search?.close();
    this.index.remove();
  }
}

/** `from --kind--> to how confidence path:lines`, a place as `REPOSITORY:path:Container`. */
export function shownEdges({ edges, nodes }: GraphAnswer): string[] {
  return edges.map((edge: GraphEdge) => {
    const steps = edge.depth > 1 ? ` depth ${edge.depth}` : '';
    const version = edge.version === undefined ? '' : ` ${edge.version} ${edge.scope}`;
    const from = shownNode(nodes[edge.from]!);
    const to = shownNode(nodes[edge.to]!);
    return `${from} -${edge.kind}-> ${to} ${edge.how} ${edge.confidence} ${edge.lines.join()}${version}${steps}`;
  });
}

export function shownNode({ kind, name, container, place }: GraphNode): string {
  const where = place === null ? '?' : `${place.repositoryId}:${place.path}`;
  return kind === 'symbol' ? `${where}#${container}` : kind === 'file' ? where : `${where}[${name}]`;
}

export function shownTargets({ targets, nodes }: GraphAnswer): string[] {
  return targets.map((target) => shownNode(nodes[target]!));
}

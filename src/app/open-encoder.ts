import type { Clock } from '../base/clock.ts';
import type { Config } from '../config/index.ts';
import {
  createEmbedderSource,
  createLocalEmbedder,
  createQuestionEncoder,
  type EmbedderSource,
  isSameKind,
  isTableKind,
  openEndpointEmbedder,
  openModelFolder,
  type QuestionEncoder,
  readKindCounts,
  type VectorKind,
} from '../vectors/index.ts';

export interface OpenedEncoder {
  /** For indexing. */
  source: EmbedderSource;
  /** For retrieval. */
  questions: QuestionEncoder;
  close(): Promise<void>;
}

/** The encoder that the config names, null for none. Nothing is loaded before it is used. */
export function openEncoder(
  { embedding, index }: Config,
  { clock, workerFile }: { clock: Clock; workerFile?: URL | undefined },
): OpenedEncoder | null {
  const { prefixes, threads, share } = embedding;
  const local = { prefixes, threads, share, ...(workerFile ? { workerFile } : {}) };
  const shipped = () => createLocalEmbedder({ ...local, files: { folder: embedding.modelFolder } });
  const source = sourceOf();
  if (source === null) return null;
  const questions = createQuestionEncoder(
    {},
    {
      wanted: source,
      earlier,
      kinds: () => readKindCounts(index.vectorFolder).filter(({ kind }) => !isTableKind(kind)),
      clock,
    },
  );
  return {
    source,
    questions,
    async close() {
      await questions.close();
      await source.close();
    },
  };

  function sourceOf(): EmbedderSource | null {
    switch (embedding.model) {
      case 'off':
      case 'static':
        return null;
      case 'default':
        return createEmbedderSource(async () => shipped());
      case 'folder':
        return createEmbedderSource(async () =>
          createLocalEmbedder({ ...local, files: await openModelFolder({ folder: embedding.folder! }) }),
        );
      case 'endpoint':
        return createEmbedderSource((signal) => openEndpoint(signal));
    }
  }

  /** Another model behind the same endpoint, or the one that comes with the program: of others nothing is known any more. */
  function earlier(kind: VectorKind): EmbedderSource | null {
    if (isSameKind(shipped().kind, kind)) return createEmbedderSource(async () => shipped());
    const host = embedding.endpoint && new URL(embedding.endpoint.url).host;
    if (host === null || !kind.model.endsWith(`@${host}`)) return null;
    const model = kind.model.slice(0, -host.length - 1);
    return createEmbedderSource((signal) => openEndpoint(signal, { model, dimensions: kind.dimensions }));
  }

  function openEndpoint(signal: AbortSignal, before?: { model: string; dimensions: number }) {
    const { dimensions, ...endpoint } = embedding.endpoint!;
    return openEndpointEmbedder(
      { ...endpoint, prefixes, ...(dimensions === 0 ? {} : { dimensions }), ...before },
      signal,
    );
  }
}

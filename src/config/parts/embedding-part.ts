import path from 'node:path';
import { z } from 'zod';
import type { DataFolderLayout } from '../data-folder.ts';
import { count, duration } from '../quantity.ts';
import type { Secret } from '../secret-reference.ts';
import { filePath, type Meaning, secretReference } from './meaning.ts';

const models = ['off', 'static', 'default', 'endpoint', 'folder'] as const;

export const embeddingPart = z
  .strictObject({
    model: z
      .enum(models)
      .default('default')
      .describe(
        'What gives chunks their vectors. off: nothing, and vectors that are there are deleted. static: the table that comes with Periscope alone, which embeds everything at once. default: also the encoder that comes with it, in the background. endpoint, folder: the table and an encoder of your own. Another one embeds anew; until it is through, the vectors of the one before are searched where it can still be reached.',
      ),
    endpoint: z
      .strictObject({
        url: z
          .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
          .refine((url) => !URL.canParse(url) || new URL(url).username === '', {
            error: 'must not hold a user name or password',
          })
          .describe(
            'An OpenAI-compatible call: http://127.0.0.1:8080/v1/embeddings. It is sent text of your repositories.',
          ),
        model: z.string().min(1).max(200).describe('Name of the model.'),
        token: secretReference()
          .optional()
          .describe('Sent as a bearer token: env:NAME, file:/path or exec:command. Default: none.'),
        dimensions: count(0, { least: 0, most: 4096 }).describe(
          'Length of its vectors. 0 learns it from a first answer.',
        ),
        shortens: z
          .boolean()
          .default(false)
          .describe('Asks the model for vectors of `dimensions`; only some models can.'),
        textsMax: count(32, { least: 1, most: 2048 }).describe('Texts of one request.'),
        requestsMax: count(2, { least: 1, most: 64 }).describe('Requests under way at a time.'),
        charactersMax: count(4000, { least: 100, most: 1_000_000 }).describe('Longer texts are cut.'),
        timeout: duration('1m', { least: '1s', most: '1h' }).describe(
          'For a request, each time it is tried.',
        ),
      })
      .optional()
      .describe('For `model: endpoint`.'),
    folder: filePath()
      .optional()
      .describe(
        'For `model: folder`: a sentence encoder as it is published for ONNX, with model.onnx, tokenizer.json (WordPiece) and config.json.',
      ),
    documentPrefix: z
      .string()
      .max(200)
      .default('')
      .describe('What the model wants before a text, for example `passage: `. Another one embeds anew.'),
    queryPrefix: z
      .string()
      .max(200)
      .default('')
      .describe('What the model wants before a question, for example `query: `.'),
    threads: count(1, { least: 1, most: 64 }).describe(
      'Threads in which a model on this machine reads chunks, one core each at most.',
    ),
    cpuShare: count(50, { least: 1, most: 100 }).describe(
      'How much of a core each of them uses, in percent: it rests in proportion to what it has worked.',
    ),
    chunksMax: count(1_000_000, { least: 0, most: 100_000_000 }).describe(
      'Where there are more chunks, the encoder reads none in advance, and the table alone ranks. 0 is no bound.',
    ),
  })
  .superRefine((written, context) => {
    const wants = (key: 'endpoint' | 'folder') => {
      if (written.model !== key || written[key] !== undefined) return;
      context.addIssue({ code: 'custom', path: [key], message: `is missing: \`model: ${key}\` needs it` });
    };
    wants('endpoint');
    wants('folder');
  })
  .prefault({});

/** What gives chunks their vectors: indexing's EmbeddingOptions and the encoder's. */
export interface EmbeddingConfig {
  model: (typeof models)[number];
  endpoint: {
    url: string;
    model: string;
    token: Secret | null;
    /** 0: learnt. */
    dimensions: number;
    shortens: boolean;
    textsMax: number;
    requestsMax: number;
    charactersMax: number;
    timeoutMs: number;
  } | null;
  folder: string | null;
  /** Where the default model is kept as it is run. */
  modelFolder: string;
  prefixes: { document: string; query: string };
  threads: number;
  /** Above 0, up to 1. */
  share: number;
  chunksMax: number;
}

export function embeddingConfig(
  { endpoint, ...written }: z.output<typeof embeddingPart>,
  layout: DataFolderLayout,
  meaning: Meaning,
): EmbeddingConfig {
  return {
    model: written.model,
    endpoint: endpoint === undefined ? null : endpointConfig(endpoint, meaning),
    folder: written.folder === undefined ? null : meaning.path(written.folder),
    modelFolder: path.join(layout.folder, 'models'),
    prefixes: { document: written.documentPrefix, query: written.queryPrefix },
    threads: written.threads,
    share: written.cpuShare / 100,
    chunksMax: written.chunksMax,
  };
}

function endpointConfig(
  { token, timeout, ...written }: NonNullable<z.output<typeof embeddingPart>['endpoint']>,
  meaning: Meaning,
): EmbeddingConfig['endpoint'] {
  return {
    ...written,
    token: token === undefined ? null : meaning.secret(token),
    timeoutMs: timeout,
  };
}

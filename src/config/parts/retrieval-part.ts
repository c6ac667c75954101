import { z } from 'zod';
import { count, duration } from '../quantity.ts';
import type { Secret } from '../secret-reference.ts';
import { filePath, type Meaning, secretReference } from './meaning.ts';

const dialects = ['tei', 'cohere', 'local'] as const;

const stage = (byDefault: boolean) => z.boolean().default(byDefault);

export const retrievalPart = z
  .strictObject({
    stages: z
      .strictObject({
        keywords: stage(true).describe('Ranks by the words of the question.'),
        table: stage(true).describe(
          'Ranks by static vectors, which every chunk has soon after it is indexed.',
        ),
        encoder: stage(true).describe("Ranks by the encoder's vectors, of the chunks that it has seen."),
        expansion: stage(false).describe(
          'Adds what the first hits call, extend and stand beside, and who calls them.',
        ),
        scorer: stage(true).describe('Orders the first hits by a weighted sum of what is known of them.'),
        files: stage(true).describe(
          'Where a change is told, as in a ticket, and no place asked for: what was found in one file adds up.',
        ),
        nearDuplicates: stage(true).describe(
          'Shows what forks, copies and vendored folders have alike once, with the other places named.',
        ),
        crossEncoder: stage(true).describe(
          'Reranks by what reads question and chunk together, where that is configured below.',
        ),
      })
      .refine(({ keywords, table, encoder }) => keywords || table || encoder, {
        error: 'must leave one of keywords, table and encoder on: the others only order what these find',
      })
      .prefault({})
      .describe('The stages of a search by meaning. Each can be switched off.'),
    fusionK: count(10, { least: 1, most: 1000 }).describe(
      'How ranked lists are fused: the larger, the less the first places of a list count beside its later ones.',
    ),
    weightsFile: filePath()
      .optional()
      .describe(
        'Weights of the scorer, as `periscope eval fit` writes them. Default: those that come with Periscope.',
      ),
    encodeTimeout: duration('300ms', { least: '10ms', most: '1m' }).describe(
      'How long the encoder may take for a question; afterwards it is answered without.',
    ),
    crossEncoder: z
      .strictObject({
        dialect: z
          .enum(dialects)
          .describe(
            'What the endpoint speaks. tei: text-embeddings-inference. cohere: the shape of Cohere, which Jina, vLLM and others speak too. local: no endpoint, but a model in `folder`.',
          ),
        folder: filePath()
          .optional()
          .describe(
            'For `dialect: local`: a cross-encoder as it is published for ONNX, with model.onnx, tokenizer.json (WordPiece) and config.json. It is run by this process, on one core.',
          ),
        url: z
          .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
          .refine((url) => !URL.canParse(url) || new URL(url).username === '', {
            error: 'must not hold a user name or password',
          })
          .optional()
          .describe(
            'For the other dialects, of the call itself: http://127.0.0.1:8080/rerank. It is sent text of your repositories.',
          ),
        model: z.string().min(1).max(200).optional().describe('Name of the model, for the cohere dialect.'),
        token: secretReference()
          .optional()
          .describe('Sent as a bearer token: env:NAME, file:/path or exec:command. Default: none.'),
        timeout: duration('1s', { least: '10ms', most: '1m' }).describe(
          'How long it may take for a question; afterwards the answer comes in the order that it had.',
        ),
        chunks: count(30, { least: 1, most: 200 }).describe('Chunks of a question that it reads.'),
      })
      .superRefine(({ dialect, url, folder }, context) => {
        const [key, value] = dialect === 'local' ? ['folder', folder] : ['url', url];
        if (value === undefined)
          context.addIssue({
            code: 'custom',
            path: [key!],
            message: `is missing: \`dialect: ${dialect}\` needs it`,
          });
      })
      .optional()
      .describe(
        'What reads question and chunk together: an endpoint, or a model on this machine. Default: none.',
      ),
  })
  .prefault({});

/** The parts go to retrieval's options, its cross-encoder and its scorer. */
export interface RetrievalConfig {
  stages: {
    keywords: boolean;
    table: boolean;
    encoder: boolean;
    expansion: boolean;
    scorer: boolean;
    files: boolean;
    nearDuplicates: boolean;
    crossEncoder: boolean;
  };
  fusionK: number;
  /** Null: those that come with the program. */
  weightsFile: string | null;
  encodeMs: number;
  crossEncoder: EndpointReranker | LocalReranker | null;
}

interface EndpointReranker {
  dialect: 'tei' | 'cohere';
  url: string;
  model: string | null;
  token: Secret | null;
  timeoutMs: number;
  chunksMax: number;
}

interface LocalReranker {
  dialect: 'local';
  folder: string;
  timeoutMs: number;
  chunksMax: number;
}

export function retrievalConfig(
  { crossEncoder, ...written }: z.output<typeof retrievalPart>,
  meaning: Meaning,
): RetrievalConfig {
  return {
    stages: written.stages,
    fusionK: written.fusionK,
    weightsFile: written.weightsFile === undefined ? null : meaning.path(written.weightsFile),
    encodeMs: written.encodeTimeout,
    crossEncoder: crossEncoder === undefined ? null : rerankerOf(crossEncoder, meaning),
  };
}

function rerankerOf(
  written: NonNullable<z.output<typeof retrievalPart>['crossEncoder']>,
  meaning: Meaning,
): EndpointReranker | LocalReranker {
  const { dialect, folder, url, model, token } = written;
  const bounds = { timeoutMs: written.timeout, chunksMax: written.chunks };
  // The schema has seen that each has what it needs.
  if (dialect === 'local') return { dialect, folder: meaning.path(folder!), ...bounds };
  return {
    dialect,
    url: url!,
    model: model ?? null,
    token: token === undefined ? null : meaning.secret(token),
    ...bounds,
  };
}

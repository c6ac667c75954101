import { cutText } from '../cut-text.ts';
import type { KeywordWeights } from '../keyword-types.ts';
import type { ChunkField } from '../types.ts';
import { termsOfText } from '../words.ts';
import { type CorpusDocument, symbolsOf } from './ranked-corpus.ts';

interface NaiveChunk {
  text: string;
  part: number;
  fields: Record<ChunkField, string[]>;
}

/** BM25F as its formula says it, over the different texts of documents: score by text and part. */
export function naiveScores(
  question: string,
  documents: readonly CorpusDocument[],
  { k1, fields }: KeywordWeights,
): Map<string, number> {
  const chunks = [...new Set(documents.map(({ text }) => text))].flatMap(chunksOf);
  const names = ['name', 'outline', 'doc', 'body'] as const;
  const mean = (field: ChunkField) =>
    chunks.reduce((sum, chunk) => sum + chunk.fields[field].length, 0) / chunks.length || 1;
  const means = Object.fromEntries(names.map((field) => [field, mean(field)])) as Record<ChunkField, number>;
  const scores = new Map<string, number>();
  for (const term of new Set(termsOfText(question))) {
    const having = chunks.filter((chunk) => names.some((field) => chunk.fields[field].includes(term)));
    const idf = Math.log(1 + (chunks.length - having.length + 0.5) / (having.length + 0.5));
    for (const chunk of having) {
      let uses = 0;
      for (const field of names) {
        const { weight, b } = fields[field];
        const count = chunk.fields[field].filter((other) => other === term).length;
        uses += (weight * count) / (1 - b + (b * chunk.fields[field].length) / means[field]);
      }
      const key = `${chunk.part} ${chunk.text}`;
      scores.set(key, (scores.get(key) ?? 0) + (idf * uses) / (k1 + uses));
    }
  }
  return scores;
}

function chunksOf(text: string): NaiveChunk[] {
  const { chunks, defined } = cutText(Buffer.from(text), symbolsOf(text));
  return chunks.map(({ name, start, end, docStart, docEnd }, part) => {
    const bytes = Buffer.from(text);
    const slice = (from: number, to: number) => termsOfText(bytes.subarray(from, to).toString());
    const hasDoc = docStart >= 0;
    return {
      text,
      part,
      fields: {
        name: termsOfText(name),
        outline: termsOfText(defined[part]!.join(' ')),
        doc: hasDoc ? slice(docStart, docEnd) : [],
        body: hasDoc ? [...slice(start, docStart), ...slice(docEnd, end)] : slice(start, end),
      },
    };
  });
}

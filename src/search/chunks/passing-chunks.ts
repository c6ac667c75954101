import { RankCursor } from '../engine/view.ts';
import { kindNumber } from './chunk-records.ts';
import type { ChunkFilter, KeywordGround } from './keyword-types.ts';

/** What a question's filter lets through. */
export interface PassingChunks {
  /** By number of the kind: 1 where it passes. Null: all do. */
  kinds: Uint8Array | null;
  /** Rank of the first document of a blob that passes, 0 for none. */
  document(segment: number, blob: number): number;
  test(document: number): boolean;
}

/** Documents are asked of once each. */
export function passingChunks(filter: ChunkFilter | undefined, { view }: KeywordGround): PassingChunks {
  const kinds = filter?.kinds ? new Uint8Array(256) : null;
  for (const kind of filter?.kinds ?? []) kinds![kindNumber(kind)] = 1;
  const asked = new Map<number, boolean>();
  const cursor = new RankCursor(view);
  const test = (document: number): boolean => {
    if (!filter?.document) return true;
    let passes = asked.get(document);
    if (passes === undefined) {
      cursor.seek(document);
      passes = filter.document(cursor.manifest, cursor.row);
      asked.set(document, passes);
    }
    return passes;
  };
  return {
    kinds,
    test,
    document(segment, blob) {
      let document = view.rankOfBlob[segment]?.[blob] ?? 0;
      while (document !== 0 && !test(document)) document = view.nextPlace[document]!;
      return document;
    },
  };
}

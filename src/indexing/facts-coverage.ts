import path from 'node:path';
import {
  type DictionarySet,
  FactsReader,
  type FactsSkip,
  factsSkips,
  type IndexState,
  openDictionaries,
  openFacts,
  openSegment,
  type RevisionEntry,
  readBlobIds,
  type SegmentEntry,
} from '../search/index.ts';
import { UNNAMED_LANGUAGE } from './facts-messages.ts';
import type { SymbolCoverage } from './types.ts';

/** How many of a repository's documents have facts, told from what is published, in whatever process. */
export interface FactsCoverage {
  of(state: IndexState, entry: RevisionEntry): Promise<SymbolCoverage>;
}

/** What is known of a blob, in one byte: nothing yet, that it has facts, or why it has none. */
const pendingCode = 0;
const factsCode = 1;
const firstSkipCode = 2;

export function createFactsCoverage(folder: string): FactsCoverage {
  const reader = new FactsReader();
  let codes = new Uint8Array(1024);
  /** Grows when any code has changed. */
  let version = 0;
  /** Facts file by segment, as far as `codes` knows. */
  let known = new Map<string, string | null>();
  let knownGeneration = -1;
  let counted = new Map<string, { version: number; coverage: SymbolCoverage }>();
  let working: Promise<unknown> = Promise.resolve();

  return {
    of(state, entry) {
      const answer = working.then(async () => {
        if (state.generation > knownGeneration) follow(state);
        return count(entry);
      });
      working = answer.catch(() => {});
      return answer;
    },
  };

  function follow(state: IndexState): void {
    if (codes.length < state.nextBlobId) {
      const larger = new Uint8Array(Math.ceil(state.nextBlobId * 1.25));
      larger.set(codes);
      codes = larger;
    }
    const now = new Map<string, string | null>();
    for (const segment of state.segments) {
      const facts = segment.facts?.file ?? null;
      now.set(segment.file, facts);
      if (known.get(segment.file) === facts) continue;
      if (learn(segment)) version += 1;
      // Gone while it was read: the next generation has another one in its place.
      else now.delete(segment.file);
    }
    known = now;
    knownGeneration = state.generation;
    const files = new Set(state.revisions.map(({ file }) => file));
    counted = new Map([...counted].filter(([file]) => files.has(file)));
  }

  function learn(segment: SegmentEntry): boolean {
    try {
      const blobIds = blobIdsOf(segment);
      if (segment.facts === null) for (const blobId of blobIds) codes[blobId] = pendingCode;
      else {
        const open = openFacts(path.join(folder, segment.facts.file));
        blobIds.forEach((blobId, blob) => {
          const isUnnamed = reader.language(open, blob) === UNNAMED_LANGUAGE;
          codes[blobId] = isUnnamed ? pendingCode : codeOf(reader.skipped(open, blob));
        });
        open.close();
      }
      return true;
    } catch {
      return false;
    }
  }

  function blobIdsOf({ file, dictionaries }: SegmentEntry): Uint32Array {
    const sets = new Map<string, DictionarySet>();
    if (dictionaries !== null) {
      const set = openDictionaries(path.join(folder, dictionaries));
      sets.set(set.hash, set);
    }
    const segment = openSegment(path.join(folder, file), sets);
    segment.close();
    return segment.tables.blobIds;
  }

  async function count({ file }: RevisionEntry): Promise<SymbolCoverage> {
    const before = counted.get(file);
    if (before?.version === version) return before.coverage;
    const { blobIds } = await readBlobIds(path.join(folder, file));
    const byCode = new Uint32Array(firstSkipCode + factsSkips.length);
    // 0 is a document without a text.
    for (const blobId of blobIds) if (blobId !== 0) byCode[codes[blobId]!]! += 1;
    const skipped: Partial<Record<FactsSkip, number>> = {};
    factsSkips.forEach((reason, place) => {
      const documents = byCode[firstSkipCode + place]!;
      if (documents > 0) skipped[reason] = documents;
    });
    const coverage = { withSymbols: byCode[factsCode]!, pending: byCode[pendingCode]!, skipped };
    counted.set(file, { version, coverage });
    return coverage;
  }
}

function codeOf(skip: FactsSkip | null): number {
  return skip === null ? factsCode : firstSkipCode + factsSkips.indexOf(skip);
}

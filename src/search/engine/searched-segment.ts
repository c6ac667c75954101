import type { OpenChunks } from '../chunks/open-chunks.ts';
import type { OpenFacts } from '../facts/open-facts.ts';
import { firstNotBelow, inBoth, indexIn } from '../segments/ascending.ts';
import type { SegmentReader } from '../segments/segment-reader.ts';
import type { ContentMatcher } from './content-matcher.ts';
import { documentNeed } from './document-need.ts';
import type { SegmentFile } from './index-segments.ts';
import type { PlanNode } from './search-plan.ts';
import type { SearchedFacts } from './searched-facts.ts';
import { SymbolMatcher } from './symbol-matcher.ts';
import type { View } from './view.ts';

/** A segment as a thread searches it. */
export interface SearchedSegment {
  readonly slot: number;
  readonly file: SegmentFile;
  /** By blob: 1 where a line was too long for one block and is cut. Null when there is none. */
  readonly cut: Uint8Array | null;
  /** What the structure of its texts says; null while that is not there, or cannot be opened. */
  readonly facts: OpenFacts | null;
  /** The pieces that they are ranked by; null as for facts. */
  readonly chunks: OpenChunks | null;
}

/** Blobs with a line that lies in several blocks: only their whole text tells what matches. */
export function cutBlobs({ tables, blocks, blobs }: SegmentFile): Uint8Array | null {
  const { blockStarts, blockLengths, blockBlobs } = tables;
  let cut: Uint8Array | null = null;
  for (let block = 1; block < blocks; block++) {
    const start = blockStarts[block]!;
    // Blocks of a text share bytes where a line was cut, and nowhere else.
    if (start === 0 || start === blockStarts[block - 1]! + blockLengths[block - 1]!) continue;
    cut ??= new Uint8Array(blobs);
    cut[blockBlobs[block]!] = 1;
  }
  return cut;
}

/** Blobs of a segment in order; null is every one. */
export type Blobs = Uint32Array | null;

export interface ListedOptions {
  view: View;
  segments: readonly SearchedSegment[];
  matchers: readonly (ContentMatcher | SymbolMatcher)[];
  reader: SegmentReader;
  facts: SearchedFacts;
}

/** What one query looks for in one segment. Lists are made when they are asked for, and kept. */
export class SegmentLists {
  readonly number: number;
  readonly segment: SearchedSegment;
  readonly #options: ListedOptions;
  readonly #blocks: (Uint32Array | null | undefined)[] = [];
  readonly #documentBlobs: (Blobs | undefined)[] = [];
  /** What `seek` has found. */
  from = 0;
  to = 0;

  constructor(number: number, options: ListedOptions) {
    this.number = number;
    this.segment = options.segments[number]!;
    this.#options = options;
  }

  /** Blocks in which a pattern may match, in order; null is every one. Says nothing of blobs that are cut. */
  blocks(content: number): Uint32Array | null {
    let blocks = this.#blocks[content];
    if (blocks === undefined) {
      blocks = this.#options.reader.candidates(this.segment.file, this.#textMatcher(content).need);
      this.#blocks[content] = blocks;
    }
    return blocks;
  }

  /** Blobs whose whole text may have a pattern. */
  wholeBlobs(content: number): Blobs {
    let blobs = this.#documentBlobs[content];
    if (blobs === undefined) {
      const ofBlock = this.#textMatcher(content).need;
      const need = documentNeed(ofBlock);
      // A single text lies in one block also where a line is cut: the cuts overlap.
      const isSame = need.text === ofBlock.text && need.shapes === ofBlock.shapes;
      const blocks = isSame ? this.blocks(content) : this.#options.reader.candidates(this.segment.file, need);
      blobs = blobsOf(this.segment, blocks);
      this.#documentBlobs[content] = blobs;
    }
    return blobs;
  }

  /** Blobs that may fit a tree, when what it asks of paths and languages is left open. */
  candidates(node: PlanNode, isWhole: boolean): Blobs {
    switch (node.kind) {
      case 'content': {
        const matcher = this.#options.matchers[node.test]!;
        if (matcher instanceof SymbolMatcher) return this.#symbolBlobs(node.test, matcher);
        const needsWhole = isWhole || matcher.needsWholeText;
        return needsWhole ? this.wholeBlobs(node.test) : blobsOf(this.segment, this.blocks(node.test));
      }
      case 'all': {
        let all: Blobs = null;
        for (const part of node.of) {
          const blobs = this.candidates(part, isWhole);
          all = all === null || blobs === null ? (all ?? blobs) : inBoth(all, blobs);
          if (all !== null && all.length === 0) return all;
        }
        return all;
      }
      case 'any': {
        let any: Uint32Array = NONE;
        for (const part of node.of) {
          const blobs = this.candidates(part, isWhole);
          if (blobs === null) return null;
          any = any.length === 0 ? blobs : inEither(any, blobs);
        }
        return any;
      }
      case 'never':
        return NONE;
      default:
        return null;
    }
  }

  /**
   * Finds a pattern's blocks in a blob: from index `from` up to `to` in `blocks`, or of the segment where that is null.
   */
  seek(content: number, blob: number): void {
    const { blobFirstBlocks } = this.segment.file.tables;
    const first = blobFirstBlocks[blob]!;
    const end = blobFirstBlocks[blob + 1]!;
    const blocks = this.blocks(content);
    this.from = first;
    this.to = end;
    if (blocks === null) return;
    this.from = firstNotBelow(blocks, first);
    this.to = this.from;
    while (this.to < blocks.length && blocks[this.to]! < end) this.to++;
  }

  /** Whether a blob defines a name that fits. */
  hasSymbol(content: number, blob: number): boolean {
    const matcher = this.#options.matchers[content]!;
    if (!(matcher instanceof SymbolMatcher)) return false;
    const blobs = this.#symbolBlobs(content, matcher);
    return indexIn(blobs, blob) >= 0;
  }

  #symbolBlobs(content: number, matcher: SymbolMatcher): Uint32Array {
    let blobs = this.#documentBlobs[content] ?? null;
    if (blobs === null) {
      const { view, facts } = this.#options;
      const ranks = view.rankOfBlob[this.number] ?? null;
      blobs = ranks === null ? NONE : matcher.blobs(facts, this.number, ranks);
      this.#documentBlobs[content] = blobs;
    }
    return blobs;
  }

  #textMatcher(content: number): ContentMatcher {
    return this.#options.matchers[content] as ContentMatcher;
  }

  holdsWhole(content: number, blob: number): boolean {
    const blobs = this.wholeBlobs(content);
    return blobs === null || indexIn(blobs, blob) >= 0;
  }
}

const NONE = new Uint32Array(0);

function blobsOf({ file }: SearchedSegment, blocks: Uint32Array | null): Blobs {
  if (blocks === null) return null;
  const { blockBlobs } = file.tables;
  const blobs = new Uint32Array(blocks.length);
  let count = 0;
  let last = -1;
  for (let i = 0; i < blocks.length; i++) {
    const blob = blockBlobs[blocks[i]!]!;
    if (blob === last) continue;
    last = blob;
    blobs[count++] = blob;
  }
  return blobs.subarray(0, count);
}

function inEither(left: Uint32Array, right: Uint32Array): Uint32Array {
  const either = new Uint32Array(left.length + right.length);
  let count = 0;
  for (let i = 0, j = 0; i < left.length || j < right.length; ) {
    const a = i < left.length ? left[i]! : Number.POSITIVE_INFINITY;
    const b = j < right.length ? right[j]! : Number.POSITIVE_INFINITY;
    either[count++] = Math.min(a, b);
    if (a <= b) i++;
    if (b <= a) j++;
  }
  return either.subarray(0, count);
}

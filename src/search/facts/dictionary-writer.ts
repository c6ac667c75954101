import { foldByte } from '../manifests/manifest-format.ts';
import { NumberColumn } from '../segments/number-column.ts';
import type { SummedOutput } from '../segments/summed-output.ts';
import { DICTIONARY_BLOCK, type NameLists, writeDictionaryName } from './dictionary-block.ts';
import type { DictionaryTables, GramTables } from './facts-format.ts';
import { sharedFolded } from './name-order.ts';
import { VarintWriter } from './varints.ts';

/** Puts a dictionary together: names come in the order of `compareNames`. */
export class DictionaryWriter {
  readonly #blocks = new VarintWriter();
  /** Offsets within #blocks. */
  readonly #blockStarts = new NumberColumn();
  readonly #separatorStarts = new NumberColumn();
  readonly #separators = new VarintWriter();
  readonly #grams: BlockGrams | null;
  #before: Buffer = Buffer.alloc(0);
  #names = 0;

  constructor({ searched }: { searched: boolean }) {
    this.#grams = searched ? new BlockGrams() : null;
  }

  get names(): number {
    return this.#names;
  }

  /** `listsAt`: where the name's lists stand in the body, right behind those of the name before. */
  add(name: Buffer, listsAt: number, lists: NameLists): void {
    let shared = 0;
    const most = Math.min(name.length, this.#before.length);
    while (shared < most && name[shared] === this.#before[shared]) shared++;
    if (this.#names % DICTIONARY_BLOCK === 0) {
      this.#blockStarts.push(this.#blocks.length);
      this.#separatorStarts.push(this.#separators.length);
      const tellingBytes = this.#names === 0 ? 0 : sharedFolded(this.#before, name) + 1;
      this.#separators.append(name.subarray(0, tellingBytes));
      this.#blocks.number(listsAt);
      shared = 0;
    }
    writeDictionaryName(this.#blocks, name, shared, lists);
    this.#grams?.add(name, this.#blockStarts.length - 1);
    this.#before = name;
    this.#names++;
  }

  /** Writes the blocks. */
  writeBlocks(output: SummedOutput): DictionaryTables {
    const base = output.at;
    output.write(this.#blocks.bytes);
    return {
      blockOffsets: Uint32Array.from([...this.#blockStarts.values, this.#blocks.length], (at) => base + at),
      separatorStarts: Uint32Array.from([...this.#separatorStarts.values, this.#separators.length]),
      separators: Uint8Array.from(this.#separators.bytes),
    };
  }

  writeGrams(output: SummedOutput): GramTables {
    return this.#grams!.write(output);
  }
}

const BLOCK_RANGE = 2 ** 28;

/** Which blocks hold which grams. */
class BlockGrams {
  #pairs = new Float64Array(1024);
  #count = 0;
  readonly #ofBlock = new Set<number>();
  #block = 0;

  add(name: Buffer, block: number): void {
    if (block !== this.#block) this.#closeBlock(block);
    for (let at = 0; at + 3 <= name.length; at++) {
      this.#ofBlock.add(
        (foldByte(name[at]!) << 16) | (foldByte(name[at + 1]!) << 8) | foldByte(name[at + 2]!),
      );
    }
  }

  write(output: SummedOutput): GramTables {
    this.#closeBlock(0);
    const pairs = this.#pairs.subarray(0, this.#count).sort();
    const keys = new NumberColumn();
    const offsets = new NumberColumn();
    const lists = new VarintWriter();
    const base = output.at;
    let last = -1;
    let lastBlock = -1;
    for (const pair of pairs) {
      const gram = Math.floor(pair / BLOCK_RANGE);
      const block = pair % BLOCK_RANGE;
      if (gram !== last) {
        keys.push(gram);
        offsets.push(base + lists.length);
        last = gram;
        lastBlock = -1;
      }
      lists.number(block - lastBlock);
      lastBlock = block;
    }
    offsets.push(base + lists.length);
    output.write(lists.bytes);
    return { keys: keys.values, offsets: offsets.values };
  }

  #closeBlock(next: number): void {
    if (this.#count + this.#ofBlock.size > this.#pairs.length) {
      const grown = new Float64Array(2 * this.#pairs.length + this.#ofBlock.size);
      grown.set(this.#pairs);
      this.#pairs = grown;
    }
    for (const gram of this.#ofBlock) this.#pairs[this.#count++] = gram * BLOCK_RANGE + this.#block;
    this.#ofBlock.clear();
    this.#block = next;
  }
}

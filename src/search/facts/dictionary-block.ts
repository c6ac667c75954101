import { STRING_BYTES_MAX } from './facts-format.ts';
import { compareFolded, compareNames } from './name-order.ts';
import { VarintReader, type VarintWriter } from './varints.ts';

/**
 * A block of a dictionary: DICTIONARY_BLOCK names (fewer in the last) in the order of `compareNames`. First where the lists of its first
 * name begin in the body; then for each name: how many bytes it shares with the one before, how many follow, these, its number among
 * the strings, the entries of its list of definitions and of its list of uses, and the bytes of each list that has entries. The lists
 * of a name follow each other, and those of the next name follow them.
 */
export const DICTIONARY_BLOCK = 32;

export interface NameLists {
  /** Number of the name among the strings of the file. */
  id: number;
  definitions: number;
  definitionBytes: number;
  uses: number;
  useBytes: number;
}

export interface ListedName extends NameLists {
  /** Where its lists begin in the body. */
  listsAt: number;
}

export function writeDictionaryName(to: VarintWriter, name: Buffer, shared: number, lists: NameLists): void {
  to.number(shared);
  to.number(name.length - shared);
  to.append(name.subarray(shared));
  to.number(lists.id);
  to.number(lists.definitions);
  to.number(lists.uses);
  if (lists.definitions > 0) to.number(lists.definitionBytes);
  if (lists.uses > 0) to.number(lists.useBytes);
}

/** Goes through the names of a block. */
export class DictionaryCursor {
  readonly name = Buffer.alloc(STRING_BYTES_MAX);
  length = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  #reader = new VarintReader(this.#bytes);
  #listsAt = 0;
  #lists: NameLists = { id: 0, definitions: 0, definitionBytes: 0, uses: 0, useBytes: 0 };

  open(block: Uint8Array): void {
    this.#bytes = block;
    this.#reader = new VarintReader(block);
    this.#listsAt = this.#reader.number();
    this.#lists = { id: 0, definitions: 0, definitionBytes: 0, uses: 0, useBytes: 0 };
    this.length = 0;
  }

  next(): boolean {
    const reader = this.#reader;
    if (reader.at >= this.#bytes.length) return false;
    this.#listsAt += this.#lists.definitionBytes + this.#lists.useBytes;
    const shared = Math.min(reader.number(), this.length);
    const more = Math.min(reader.number(), STRING_BYTES_MAX - shared);
    this.name.set(this.#bytes.subarray(reader.at, reader.at + more), shared);
    reader.at += more;
    this.length = shared + more;
    const id = reader.number();
    const definitions = reader.number();
    const uses = reader.number();
    const definitionBytes = definitions > 0 ? reader.number() : 0;
    const useBytes = uses > 0 ? reader.number() : 0;
    this.#lists = { id, definitions, definitionBytes, uses, useBytes };
    return true;
  }

  /** Below 0 where the name sorts before the wanted one. */
  compare(wanted: Buffer): number {
    return compareNames(this.name, this.length, wanted, wanted.length);
  }

  /** Below 0 where the name sorts before all spellings of the wanted one, 0 for one of them. */
  compareFolded(wanted: Buffer): number {
    return compareFolded(this.name, this.length, wanted, wanted.length);
  }

  startsWith(prefix: Buffer): boolean {
    return (
      this.length >= prefix.length && this.name.compare(prefix, 0, prefix.length, 0, prefix.length) === 0
    );
  }

  /** Below 0 where the name sorts before all names that begin so in any case, 0 for one of them. */
  compareStart(prefix: Buffer): number {
    return compareFolded(this.name, Math.min(this.length, prefix.length), prefix, prefix.length);
  }

  text(): string {
    return this.name.toString('utf8', 0, this.length);
  }

  lists(): ListedName {
    return { ...this.#lists, listsAt: this.#listsAt };
  }
}

import type { StoredRows, VectorKind } from '../vectors/index.ts';

interface KindRows {
  kind: VectorKind;
  /** By owner: how many of its parts, from the first one on, have a vector. */
  counts: Uint16Array;
  /** By owner: the highest part, plus one. Only while it is learnt. */
  ends: Uint16Array | null;
}

/** How many vectors of each kind each text has. Parts of a text get theirs in order, so that the count says which is next. */
export class OwnerRows {
  readonly #kinds = new Map<string, KindRows>();
  #known = new Uint8Array(1024);
  #highest = 0;

  /** The highest owner that has any vector, of whatever kind and edition; 0 for none. */
  get highest(): number {
    return this.#highest;
  }

  of(kind: VectorKind, owner: number): number {
    return this.#kinds.get(nameOf(kind))?.counts[owner] ?? 0;
  }

  /** An owner with vectors that count for nothing else. */
  has(owner: number): void {
    if (owner >= this.#known.length) this.#known = grown(this.#known, owner);
    this.#known[owner] = 1;
    if (owner > this.#highest) this.#highest = owner;
  }

  add(kind: VectorKind, rows: readonly { owner: number; part: number }[]): void {
    const entry = this.#entry(kind);
    for (const { owner, part } of rows) {
      this.has(owner);
      if (owner >= entry.counts.length) entry.counts = grown(entry.counts, owner);
      entry.counts[owner] = part + 1;
    }
  }

  learn({ kind, owners, parts }: StoredRows): void {
    const entry = this.#entry(kind);
    entry.ends ??= new Uint16Array(entry.counts.length);
    owners.forEach((owner, row) => {
      this.has(owner);
      if (owner >= entry.counts.length) entry.counts = grown(entry.counts, owner);
      if (owner >= entry.ends!.length) entry.ends = grown(entry.ends!, owner);
      entry.counts[owner]! += 1;
      if (parts[row]! >= entry.ends![owner]!) entry.ends![owner] = parts[row]! + 1;
    });
  }

  /** Owners that miss a part between others, or have one twice, after all was learnt: they count as having none. */
  withGaps(): { kind: VectorKind; owners: Uint32Array }[] {
    return [...this.#kinds.values()].map((entry) => {
      const owners: number[] = [];
      entry.ends?.forEach((end, owner) => {
        if (entry.counts[owner] === end) return;
        entry.counts[owner] = 0;
        owners.push(owner);
      });
      entry.ends = null;
      return { kind: entry.kind, owners: Uint32Array.from(owners) };
    });
  }

  /** All of any kind and edition, ascending. */
  owners(): Uint32Array {
    const found: number[] = [];
    for (let owner = 0; owner <= this.#highest; owner++) if (this.#known[owner] === 1) found.push(owner);
    return Uint32Array.from(found);
  }

  forget(owners: Uint32Array): void {
    for (const owner of owners) {
      this.#known[owner] = 0;
      for (const { counts } of this.#kinds.values()) if (owner < counts.length) counts[owner] = 0;
    }
  }

  drop(kind: VectorKind): void {
    this.#kinds.delete(nameOf(kind));
  }

  #entry(kind: VectorKind): KindRows {
    const name = nameOf(kind);
    let entry = this.#kinds.get(name);
    if (entry === undefined) {
      entry = { kind, counts: new Uint16Array(1024), ends: null };
      this.#kinds.set(name, entry);
    }
    return entry;
  }
}

function nameOf({ model, dimensions, preparation }: VectorKind): string {
  return `${model}/${dimensions}/${preparation}`;
}

function grown<T extends Uint8Array | Uint16Array>(column: T, owner: number): T {
  const larger = new (column.constructor as new (length: number) => T)(Math.ceil((owner + 1) * 1.5));
  larger.set(column);
  return larger;
}

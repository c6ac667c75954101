import type { SkipReason } from '../search/index.ts';

/** What is known of a blob's text, whichever repository it was read from. */
export interface BlobFacts {
  /** 0 when it is skipped. */
  blobId: number;
  skipped: SkipReason | null;
  maskedSpans: number;
  /** Language that its first line tells; 0 none. */
  interpreter: number;
}

/**
 * Every blob of the index by object id, in columns: an installation has millions. `origin` says whose hand the blob came from when
 * it was read and verified, see docs/decisions/0053-indexing.md. Ids of 64 digits are kept by their first 40, which nobody can make
 * collide either.
 */
export interface BlobTable {
  /** Null when it is not in the index. */
  find(oid: string): (BlobFacts & { origin: string }) | null;
  /** Of one that is known the facts stay. */
  add(oid: string, facts: BlobFacts, origin: string): void;
  /** Blobs whose text is dropped from the index. */
  drop(isDropped: (blobId: number) => boolean): void;
  readonly size: number;
}

const skipCodes: readonly SkipReason[] = ['binary', 'too-many-trigrams', 'lfs-pointer'];
const wordsPerOid = 5;

export function createBlobTable(): BlobTable {
  const origins: string[] = [];
  let capacity = 1024;
  let size = 0;
  let oids = new Uint32Array(capacity * wordsPerOid);
  let blobIds = new Uint32Array(capacity);
  let masked = new Uint32Array(capacity);
  let interpreters = new Uint16Array(capacity);
  /** 0 is a text or, with blobId 0, one that was dropped. */
  let skips = new Uint8Array(capacity);
  let originOf = new Uint32Array(capacity);
  let slots = new Uint32Array(capacity * 2);
  const words = new Uint32Array(wordsPerOid);

  function entryOf(oid: string): number {
    readWords(oid, words);
    const mask = slots.length - 1;
    for (let slot = words[0]! & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const entry = slots[slot]! - 1;
      const at = entry * wordsPerOid;
      if (
        oids[at] === words[0] &&
        oids[at + 1] === words[1] &&
        oids[at + 2] === words[2] &&
        oids[at + 3] === words[3] &&
        oids[at + 4] === words[4]
      )
        return entry;
    }
    return -1;
  }

  function insertSlot(entry: number): void {
    const mask = slots.length - 1;
    let slot = oids[entry * wordsPerOid]! & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = entry + 1;
  }

  function grow(): void {
    capacity *= 2;
    oids = grown(oids, capacity * wordsPerOid);
    blobIds = grown(blobIds, capacity);
    masked = grown(masked, capacity);
    interpreters = grown(interpreters, capacity);
    skips = grown(skips, capacity);
    originOf = grown(originOf, capacity);
    slots = new Uint32Array(capacity * 2);
    for (let entry = 0; entry < size; entry++) insertSlot(entry);
  }

  const isDroppedEntry = (entry: number) => blobIds[entry] === 0 && skips[entry] === 0;

  return {
    find(oid) {
      const entry = entryOf(oid);
      if (entry < 0 || isDroppedEntry(entry)) return null;
      return {
        blobId: blobIds[entry]!,
        skipped: skips[entry] === 0 ? null : skipCodes[skips[entry]! - 1]!,
        maskedSpans: masked[entry]!,
        interpreter: interpreters[entry]!,
        origin: origins[originOf[entry]!]!,
      };
    },
    add(oid, facts, origin) {
      const skip = facts.skipped === null ? 0 : skipCodes.indexOf(facts.skipped) + 1;
      // What depends on the repository (missing, unreadable) or on the moment (pending) is no fact of the blob.
      if (facts.blobId === 0 && skip === 0) return;
      let entry = entryOf(oid);
      if (entry >= 0 && !isDroppedEntry(entry)) return;
      if (entry < 0) {
        if (size === capacity) grow();
        entry = size++;
        readWords(oid, words);
        oids.set(words, entry * wordsPerOid);
        insertSlot(entry);
      }
      let originNumber = origins.indexOf(origin);
      if (originNumber < 0) originNumber = origins.push(origin) - 1;
      blobIds[entry] = facts.blobId;
      masked[entry] = facts.maskedSpans;
      interpreters[entry] = facts.interpreter;
      skips[entry] = skip;
      originOf[entry] = originNumber;
    },
    drop(isDropped) {
      for (let entry = 0; entry < size; entry++) {
        const blobId = blobIds[entry]!;
        if (blobId !== 0 && isDropped(blobId)) blobIds[entry] = 0;
      }
    },
    get size() {
      return size;
    },
  };
}

function readWords(oid: string, words: Uint32Array): void {
  for (let word = 0; word < wordsPerOid; word++) {
    words[word] = Number.parseInt(oid.slice(word * 8, word * 8 + 8), 16);
  }
}

function grown<T extends Uint32Array | Uint16Array | Uint8Array>(column: T, length: number): T {
  const larger = new (column.constructor as new (length: number) => T)(length);
  larger.set(column);
  return larger;
}

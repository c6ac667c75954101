import {
  type AskedGround,
  type Chunk,
  type ChunksReader,
  damagedFileOf,
  languageName,
  noteDamage,
  RankCursor,
  segmentsBySlot,
} from '../../search/index.ts';
import type { ChunkPlace } from '../types.ts';
import { type Candidate, candidateKey } from './candidates.ts';
import type { DocumentFilter } from './visible-texts.ts';

/** The chunks that one question may find: from numbers of texts to chunks, and from chunks to places and texts. */
export class ChunkGround {
  readonly #ground: AskedGround;
  readonly #reader: ChunksReader;
  readonly #accepts: DocumentFilter | null;
  readonly #cursor: RankCursor;
  readonly #segmentOfSlot: Int32Array;
  readonly #candidates = new Map<number, Candidate>();
  readonly #chunks = new Map<string, readonly Chunk[]>();
  /** Segments whose chunks or texts turned out to be damaged. */
  readonly #damaged = new Set<number>();

  constructor(ground: AskedGround, reader: ChunksReader, accepts: DocumentFilter | null) {
    this.#ground = ground;
    this.#reader = reader;
    this.#accepts = accepts;
    this.#cursor = new RankCursor(ground.view);
    this.#segmentOfSlot = segmentsBySlot(ground.segments);
  }

  get damaged(): number {
    return this.#damaged.size;
  }

  /** The candidate of a chunk by the number of its text; null where no document that fits shows it. */
  ofOwner(blobId: number, part: number): Candidate | null {
    const { table, view } = this.#ground;
    const segment = this.#segmentOfSlot[table[2 * blobId] ?? 0] ?? -1;
    if (segment < 0) return null;
    const blob = table[2 * blobId + 1]!;
    const document = this.#firstFitting(view.rankOfBlob[segment]?.[blob] ?? 0);
    return document === 0 ? null : this.#candidate(document, segment, blob, part);
  }

  /** The candidate of a chunk in a document, which fits or not. */
  ofDocument(document: number, part: number): Candidate | null {
    const text = this.textAt(document);
    return text === null ? null : this.#candidate(document, text.segment, text.blob, part);
  }

  /** The candidate of the chunk that holds a line of a document; null where none does or the document does not fit. */
  atLine(document: number, line: number): Candidate | null {
    const text = this.textAt(document);
    if (text === null) return null;
    const best = this.#firstFitting(this.#ground.view.rankOfBlob[text.segment]![text.blob]!);
    if (best === 0) return null;
    const chunks = this.chunksOf(text.segment, text.blob);
    const part = chunks.findIndex(({ startLine, endLine }) => startLine <= line && line <= endLine);
    return part < 0 ? null : this.#candidate(best, text.segment, text.blob, part);
  }

  /** Null where the text of a document is not there. */
  textAt(document: number): { segment: number; blob: number } | null {
    const { manifests, table } = this.#ground;
    this.#cursor.seek(document);
    const blobId = manifests[this.#cursor.manifest]!.blobIds[this.#cursor.row]!;
    const segment = blobId === 0 ? -1 : (this.#segmentOfSlot[table[2 * blobId]!] ?? -1);
    return segment < 0 ? null : { segment, blob: table[2 * blobId + 1]! };
  }

  /** The chunks of a text, in its order. None where they are damaged. */
  chunksOf(segment: number, blob: number): readonly Chunk[] {
    const { chunks } = this.#ground.segments[segment]!;
    if (chunks === null || this.#damaged.has(segment)) return [];
    const key = `${segment} ${blob}`;
    let found = this.#chunks.get(key);
    if (found === undefined) {
      found = this.#guarded(segment, chunks.file, [], () => this.#reader.chunksOf(chunks, blob));
      this.#chunks.set(key, found);
    }
    return found;
  }

  /** The bytes of a text from one to another, without reading the rest; empty where they cannot be read. */
  bytesOf({ segment, blob }: { segment: number; blob: number }, start: number, end: number): Buffer {
    const { file } = this.#ground.segments[segment]!;
    const { reader } = this.#ground;
    const { blobFirstBlocks, blockStarts, blockLengths } = file.tables;
    const parts: Buffer[] = [];
    let at = start;
    return this.#guarded(segment, file.file, Buffer.alloc(0), () => {
      for (let block = blobFirstBlocks[blob]!; block < blobFirstBlocks[blob + 1]! && at < end; block++) {
        const from = blockStarts[block]!;
        const to = from + blockLengths[block]!;
        // Blocks of a text share bytes where a line was cut.
        if (to <= at) continue;
        const address = reader.text(file, block) - from;
        parts.push(Buffer.from(reader.bytes.slice(address + at, address + Math.min(end, to))));
        at = Math.min(end, to);
      }
      return Buffer.concat(parts);
    });
  }

  textOf({ segment, blob, chunk }: Candidate, bytesMax = Number.POSITIVE_INFINITY): string {
    const end = Math.min(chunk.end, chunk.start + bytesMax);
    return this.bytesOf({ segment, blob }, chunk.start, end).toString('utf8');
  }

  placeOf(document: number, { startLine, endLine }: Pick<Chunk, 'startLine' | 'endLine'>): ChunkPlace {
    this.#cursor.seek(document);
    const { repository, entry, manifest } = this.#ground.shown[this.#cursor.manifest]!;
    return {
      repositoryId: repository.id,
      revision: entry.revision,
      commit: manifest.head.commit,
      path: manifest.path(this.#cursor.row),
      startLine,
      endLine,
    };
  }

  pathOf(document: number): string {
    this.#cursor.seek(document);
    return this.#ground.manifests[this.#cursor.manifest]!.path(this.#cursor.row);
  }

  languageOf(document: number): string | null {
    this.#cursor.seek(document);
    return languageName(this.#ground.manifests[this.#cursor.manifest]!.languages[this.#cursor.row]!);
  }

  classOf(document: number): number {
    this.#cursor.seek(document);
    return this.#ground.manifests[this.#cursor.manifest]!.classOf(this.#cursor.row);
  }

  /** Further documents with the very same text, that fit. */
  copiesOf(document: number): readonly number[] {
    const { nextPlace } = this.#ground.view;
    const found: number[] = [];
    for (let place = nextPlace[document]!; place !== 0; place = nextPlace[place]!) {
      if (this.#fits(place)) found.push(place);
    }
    return found;
  }

  /** The document at a path of a revision that is shown; 0 for none. */
  documentAt(repositoryId: number, revision: string, path: string): number {
    const { shown, manifests, view } = this.#ground;
    const at = shown.findIndex(
      ({ repository, entry }) => repository.id === repositoryId && entry.revision === revision,
    );
    const manifest = manifests[at];
    const row = manifest?.rowOfPath(path) ?? -1;
    if (row < 0) return 0;
    const run = manifest!.classOf(row) * manifests.length + at;
    return view.runStarts[run]! + row - view.runRows[run]!;
  }

  #candidate(document: number, segment: number, blob: number, part: number): Candidate | null {
    const key = candidateKey(document, part);
    const known = this.#candidates.get(key);
    if (known !== undefined) return known;
    const chunk = this.chunksOf(segment, blob)[part];
    if (chunk === undefined) return null;
    const candidate: Candidate = {
      key,
      document,
      segment,
      blob,
      blobId: this.#ground.segments[segment]!.file.tables.blobIds[blob]!,
      part,
      chunk,
      keyword: null,
      keywordPlace: 0,
      meaning: null,
      graph: null,
      tableCosine: null,
      encoderCosine: null,
    };
    this.#candidates.set(key, candidate);
    return candidate;
  }

  #firstFitting(first: number): number {
    for (let place = first; place !== 0; place = this.#ground.view.nextPlace[place]!) {
      if (this.#fits(place)) return place;
    }
    return 0;
  }

  #fits(document: number): boolean {
    if (this.#accepts === null) return true;
    this.#cursor.seek(document);
    return this.#accepts(this.#cursor.manifest, this.#cursor.row);
  }

  /** Damage costs what lies in its own segment. */
  #guarded<T>(segment: number, file: string, none: T, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (damagedFileOf(error) === null) throw error;
      noteDamage(file);
      this.#damaged.add(segment);
      return none;
    }
  }
}

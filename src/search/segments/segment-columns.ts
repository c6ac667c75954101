import { NumberColumn } from './number-column.ts';
import { LONG_OID, type SegmentTables, type TableCounts, tablesBytes, tablesOver } from './segment-format.ts';
import type { SegmentText } from './types.ts';

const OID_SHORT = 20;
const OID_LONG = 32;

/** The blobs and blocks of a segment that is being built. */
export class SegmentColumns {
  readonly #blobIds = new NumberColumn();
  readonly #blobFirstBlocks = new NumberColumn();
  readonly #blobKinds = new NumberColumn();
  readonly #oids: string[] = [];
  readonly #blockBlobs = new NumberColumn();
  readonly #blockStarts = new NumberColumn();
  readonly #blockLengths = new NumberColumn();
  readonly #blockOffsets = new NumberColumn();
  readonly #blockLines = new NumberColumn();
  readonly #blockSums = new NumberColumn();

  get blobs(): number {
    return this.#blobIds.length;
  }

  get blocks(): number {
    return this.#blockBlobs.length;
  }

  get oidBytes(): number {
    return this.#oids.some((oid) => oid.length > 2 * OID_SHORT) ? OID_LONG : OID_SHORT;
  }

  addBlob(text: Omit<SegmentText, 'text'>): void {
    this.#blobIds.push(text.blobId);
    this.#blobFirstBlocks.push(this.blocks);
    this.#blobKinds.push(text.group | (text.oid.length > 2 * OID_SHORT ? LONG_OID : 0));
    this.#oids.push(text.oid);
  }

  /** A block of the last blob. */
  addBlock(block: { start: number; length: number; offset: number; line: number; sum: number }): void {
    this.#blockBlobs.push(this.blobs - 1);
    this.#blockStarts.push(block.start);
    this.#blockLengths.push(block.length);
    this.#blockOffsets.push(block.offset);
    this.#blockLines.push(block.line);
    this.#blockSums.push(block.sum);
  }

  /** All tables of the segment as its file has them. */
  tables(
    counts: TableCounts,
    contentBytes: number,
    others: Pick<SegmentTables, 'gramKeys' | 'gramOffsets' | 'shapeKeys' | 'shapeOffsets' | 'pageSums'>,
  ): Uint8Array {
    const bytes = new Uint8Array(tablesBytes(counts));
    const tables = tablesOver(bytes.buffer, counts);
    tables.blobIds.set(this.#blobIds.values);
    tables.blobFirstBlocks.set(this.#blobFirstBlocks.values);
    tables.blobFirstBlocks[this.blobs] = this.blocks;
    tables.blobKinds.set(this.#blobKinds.values);
    this.#oids.forEach((oid, blob) => {
      tables.oids.set(Buffer.from(oid, 'hex'), blob * counts.oidBytes);
    });
    tables.blockBlobs.set(this.#blockBlobs.values);
    tables.blockStarts.set(this.#blockStarts.values);
    tables.blockLengths.set(this.#blockLengths.values);
    tables.blockOffsets.set(this.#blockOffsets.values);
    tables.blockOffsets[this.blocks] = contentBytes;
    tables.blockLines.set(this.#blockLines.values);
    tables.blockSums.set(this.#blockSums.values);
    tables.gramKeys.set(others.gramKeys);
    tables.gramOffsets.set(others.gramOffsets);
    tables.shapeKeys.set(others.shapeKeys);
    tables.shapeOffsets.set(others.shapeOffsets);
    tables.pageSums.set(others.pageSums);
    return bytes;
  }
}

import { SegmentKernels } from '../segments/segment-kernels.ts';
import { factsBroken } from './facts-errors.ts';
import { VarintReader, type VarintWriter } from './varints.ts';

/** Below what the kernels compress at once. */
const PIECE = 60_000;
const SLACK = 64;
/** Bytes that are shorter than this are stored as they are: there is nothing to gain. */
const COMPRESSED_FROM = 64;

/**
 * Bytes in pieces of at most 60 000, each compressed (LZ4) unless that does not shorten it: their length, then for each piece how many
 * bytes it takes and these. A piece that takes as many as it has is stored as it is.
 */
export class PieceEncoder {
  readonly #kernels = new SegmentKernels(0);

  constructor() {
    this.#kernels.reach(this.#kernels.places.WINDOW + PIECE + SLACK);
  }

  write(raw: Uint8Array, to: VarintWriter): void {
    to.number(raw.length);
    for (let at = 0; at < raw.length; at += PIECE) {
      const piece = raw.subarray(at, at + PIECE);
      const compressed = this.#compressed(piece);
      to.number(compressed.length);
      to.append(compressed);
    }
  }

  #compressed(piece: Uint8Array): Uint8Array {
    if (piece.length < COMPRESSED_FROM) return piece;
    const { bytes, places, run } = this.#kernels;
    bytes.set(piece, places.WINDOW);
    const size = run.compress(places.WINDOW, piece.length, 0, 0);
    return size < piece.length ? bytes.subarray(places.COMPRESSED, places.COMPRESSED + size) : piece;
  }
}

const STORED_AT = 65_536;
const DECODED_AT = STORED_AT + 65_536;

export class PieceDecoder {
  readonly #kernels = new SegmentKernels(0);

  constructor() {
    this.#kernels.reach(DECODED_AT + 65_536);
  }

  /** Reads what `PieceEncoder.write` wrote at `at`; it ends with the bytes. */
  read(file: string, bytes: Uint8Array, at: number): Buffer {
    const reader = new VarintReader(bytes, at);
    const length = reader.number();
    // LZ4 shortens at most 255 times.
    if (length > 256 * bytes.length) throw damaged(file);
    const raw = Buffer.allocUnsafe(length);
    for (let done = 0; done < length; done += PIECE) {
      const size = Math.min(PIECE, length - done);
      const stored = reader.number();
      if (stored > size || reader.at + stored > bytes.length) throw damaged(file);
      const piece = bytes.subarray(reader.at, reader.at + stored);
      reader.at += stored;
      raw.set(stored === size ? piece : this.#decoded(file, piece, size), done);
    }
    if (reader.at !== bytes.length) throw damaged(file);
    return raw;
  }

  #decoded(file: string, piece: Uint8Array, size: number): Uint8Array {
    const { bytes, run } = this.#kernels;
    bytes.set(piece, STORED_AT);
    if (run.decompress(STORED_AT, piece.length, DECODED_AT, size, DECODED_AT) === 0) throw damaged(file);
    return bytes.subarray(DECODED_AT, DECODED_AT + size);
  }
}

function damaged(file: string): Error {
  return factsBroken(file, 'a record is not as it was written');
}

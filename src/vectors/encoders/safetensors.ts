import { modelFileBroken } from '../errors.ts';

export interface Tensor {
  shape: readonly number[];
  values: Float32Array;
}

/** The floating-point tensors of a safetensors file (https://github.com/huggingface/safetensors): 64-bit length, JSON header, data. */
export function readSafetensors(file: string, bytes: Buffer): ReadonlyMap<string, Tensor> {
  const headerBytes = bytes.length < 8 ? Number.POSITIVE_INFINITY : Number(bytes.readBigUInt64LE(0));
  if (headerBytes > bytes.length - 8) throw modelFileBroken(file, 'it is cut short');
  const header = JSON.parse(bytes.toString('utf8', 8, 8 + headerBytes)) as Record<string, TensorHeader>;
  const tensors = new Map<string, Tensor>();
  for (const [name, { dtype, shape, data_offsets: offsets }] of Object.entries(header)) {
    if (dtype !== 'F16' && dtype !== 'F32') continue;
    const raw = new Uint8Array(
      bytes.subarray(8 + headerBytes + offsets[0], 8 + headerBytes + offsets[1]),
    ).slice().buffer;
    tensors.set(name, { shape, values: dtype === 'F16' ? widened(raw) : new Float32Array(raw) });
  }
  return tensors;
}

interface TensorHeader {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

function widened(raw: ArrayBuffer): Float32Array {
  const bits = new Uint16Array(raw);
  const values = new Float32Array(bits.length);
  const numbers = halves();
  for (let i = 0; i < bits.length; i++) values[i] = numbers[bits[i]!]!;
  return values;
}

let table: Float32Array | undefined;

/** Each of the 65 536 halves as a number. */
function halves(): Float32Array {
  if (table) return table;
  table = new Float32Array(65_536);
  for (let bits = 0; bits < 65_536; bits++) {
    const sign = bits >> 15 ? -1 : 1;
    const exponent = (bits >> 10) & 31;
    const mantissa = bits & 1023;
    const size =
      exponent === 0
        ? mantissa * 2 ** -24
        : exponent === 31
          ? mantissa > 0
            ? Number.NaN
            : Number.POSITIVE_INFINITY
          : (1 + mantissa / 1024) * 2 ** (exponent - 15);
    table[bits] = sign * size;
  }
  return table;
}

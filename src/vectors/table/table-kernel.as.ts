/**
 * The inner loop of the static table, in AssemblyScript (compiled by `npm run generate` into generated/table-kernel-wasm.ts). The memory
 * holds, from 0 on, the field that is pooled and the sum of fields (f32), numbers and factors of pieces, then the rows.
 */

export const FIELD: usize = 0;
export const SUM: usize = 16384;
export const PIECES: usize = 32768;
export const FACTORS: usize = 65536;
export const ROWS: usize = 131072;

/** Adds to the sum the direction of the pieces' weighted rows, with a length of `weight`. `dimensions` is a multiple of 16. */
export function addField(count: i32, dimensions: i32, weight: f32): void {
  memory.fill(FIELD, 0, <usize>dimensions << 2);
  for (let i: i32 = 0; i < count; i++) {
    let row = ROWS + <usize>load<u32>(PIECES + (<usize>i << 2)) * <usize>dimensions;
    const factor = f32x4.splat(load<f32>(FACTORS + (<usize>i << 2)));
    const end = FIELD + (<usize>dimensions << 2);
    for (let at = FIELD; at < end; at += 64, row += 16) {
      const values = v128.load(row);
      const low = i16x8.extend_low_i8x16_s(values);
      const high = i16x8.extend_high_i8x16_s(values);
      add(at, f32x4.mul(factor, f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(low))));
      add(at + 16, f32x4.mul(factor, f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(low))));
      add(at + 32, f32x4.mul(factor, f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(high))));
      add(at + 48, f32x4.mul(factor, f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(high))));
    }
  }
  let squares = f32x4.splat(0);
  for (let i: usize = 0; i < <usize>dimensions << 2; i += 16) {
    const part = v128.load(FIELD + i);
    squares = f32x4.add(squares, f32x4.mul(part, part));
  }
  const square =
    f32x4.extract_lane(squares, 0) + f32x4.extract_lane(squares, 1) + f32x4.extract_lane(squares, 2) + f32x4.extract_lane(squares, 3);
  if (square == 0) return;
  const scale = f32x4.splat(weight / sqrt<f32>(square));
  for (let i: usize = 0; i < <usize>dimensions << 2; i += 16) add(SUM + i, f32x4.mul(scale, v128.load(FIELD + i)));
}

@inline
function add(at: usize, values: v128): void {
  v128.store(at, f32x4.add(v128.load(at), values));
}

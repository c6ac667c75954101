/**
 * Which places of a block may hold a keyword, in AssemblyScript (compiled by `npm run generate` into generated/keyword-kernel-wasm.ts).
 *
 * The hash of three bytes at every second place is looked up in a table of bits. No step waits for the one before it, so that the
 * processor works on many places at once, which an automaton does not let it.
 */

/** 2^18 bits by hash. */
export const TABLE: usize = 1024;
export const BLOCK: usize = 65536;
/** Even. */
export const BLOCK_SIZE: usize = 65536;
/** Room for reading beyond a block; what stands there does not matter. */
const SLACK: usize = 64;
/** Places that were found, as 32-bit offsets into the block. */
export const FOUND: usize = BLOCK + BLOCK_SIZE + SLACK;

@inline
function flagOf(three: u32): u32 {
  const hash = ((three & 0xffffff) * 0x9e3779b1) >>> 14;
  return (load<u8>(TABLE + (hash >> 3)) >> (hash & 7)) & 1;
}

/** Looks at the even offsets below `length`, and at up to three more. Returns how many places were found. */
export function findPlaces(length: usize): u32 {
  let found = FOUND;
  const end = BLOCK + length;
  for (let at = BLOCK; at < end; at += 8) {
    const eight = load<u64>(at) | 0x2020202020202020;
    const last = load<u32>(at + 6) | 0x20202020;
    const first = flagOf(<u32>eight);
    const second = flagOf(<u32>(eight >> 16));
    const third = flagOf(<u32>(eight >> 32));
    const fourth = flagOf(last);
    if ((first | second | third | fourth) == 0) continue;
    const offset = <u32>(at - BLOCK);
    store<u32>(found, offset);
    found += first << 2;
    store<u32>(found, offset + 2);
    found += second << 2;
    store<u32>(found, offset + 4);
    found += third << 2;
    store<u32>(found, offset + 6);
    found += fourth << 2;
  }
  return <u32>((found - FOUND) >> 2);
}

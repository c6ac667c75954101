import { Parser } from 'web-tree-sitter';
import { Memory } from '../../base/web-assembly.ts';

export interface TreeSitterMemory {
  /** tree-sitter's own memory, as words of 4, 2 and 1 bytes. Ask anew after each parse: it moves when it grows. */
  views(): { words: Uint32Array; halves: Uint16Array; bytes: Uint8Array };
  /** It grows and never shrinks. */
  sizeBytes(): number;
  /**
   * Lets go of a parser that was stopped within a text. It is neither reset nor freed: tree-sitter frees what it holds by calls within
   * calls, as deep as the text was ambiguous, and that has overrun its stack and spoilt all of its memory. Its memory is lost instead.
   */
  abandon(parser: Parser): void;
}

/** What needs more ends in an error of tree-sitter, and the thread with it: it would go on to 2 GiB. */
export const MEMORY_BYTES_MAX = 320 * 2 ** 20;
const PAGE_BYTES = 65_536;
/** As many as web-tree-sitter starts with by itself. */
const START_PAGES = 512;

/**
 * The one of this thread: web-tree-sitter keeps a single instance of its module for a whole thread, and tells of its memory only to who
 * started it. This is why something is kept at the level of the module here.
 */
let started: Promise<TreeSitterMemory> | undefined;

export function startTreeSitter(): Promise<TreeSitterMemory> {
  started ??= start();
  return started;
}

async function start(): Promise<TreeSitterMemory> {
  const wasmMemory = new Memory({ initial: START_PAGES, maximum: MEMORY_BYTES_MAX / PAGE_BYTES });
  const module: {
    wasmMemory: typeof wasmMemory;
    HEAPU32?: Uint32Array;
    HEAPU16?: Uint16Array;
    HEAPU8?: Uint8Array;
  } = { wasmMemory };
  await Parser.init(module as Parameters<typeof Parser.init>[0]);
  const views = () => {
    const { HEAPU32: words, HEAPU16: halves, HEAPU8: bytes } = module;
    if (!words || !halves || !bytes) throw new Error('web-tree-sitter was started by somebody else');
    return { words, halves, bytes };
  };
  // Held on to, or the garbage collector would have them freed.
  const abandoned: Parser[] = [];
  return {
    views,
    sizeBytes: () => views().bytes.length,
    abandon: (parser) => void abandoned.push(parser),
  };
}

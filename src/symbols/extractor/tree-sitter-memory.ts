import { Parser } from 'web-tree-sitter';

/** tree-sitter's own memory, as words of 4, 2 and 1 bytes. Ask anew after each parse: it moves when it grows. */
export interface TreeSitterMemory {
  views(): { words: Uint32Array; halves: Uint16Array; bytes: Uint8Array };
}

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
  const module: { HEAPU32?: Uint32Array; HEAPU16?: Uint16Array; HEAPU8?: Uint8Array } = {};
  await Parser.init(module as Parameters<typeof Parser.init>[0]);
  return {
    views: () => {
      const { HEAPU32: words, HEAPU16: halves, HEAPU8: bytes } = module;
      if (!words || !halves || !bytes) throw new Error('web-tree-sitter was started by somebody else');
      return { words, halves, bytes };
    },
  };
}

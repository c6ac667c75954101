/** The part of the WebAssembly interface that is used: neither TypeScript's library without the DOM nor Node's types declare it. */
interface WebAssemblyGlobal {
  Module: new (bytes: Uint8Array) => WasmModule;
  Instance: new (
    module: WasmModule,
    imports: Record<string, Record<string, unknown>>,
  ) => { exports: unknown };
  /** In pages of 64 KB. */
  Memory: new (limits: {
    initial: number;
    maximum?: number;
  }) => WasmMemory;
}

export interface WasmModule {
  readonly [Symbol.toStringTag]: string;
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** Adds pages of 64 KB. Views of the old buffer are empty afterwards. */
  grow(pages: number): number;
}

/** An exported constant. */
export interface WasmConstant {
  readonly value: number;
}

export const { Module, Instance, Memory } = (globalThis as unknown as { WebAssembly: WebAssemblyGlobal })
  .WebAssembly;

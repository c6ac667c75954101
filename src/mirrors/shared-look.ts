const MOMENT_MS = 1;

/**
 * Looks within one millisecond share a look: many calls at once ask for the same files. Whoever changed a repository cannot have
 * told of it sooner, since git alone takes longer to start.
 */
export function sharedLook<T>(look: () => T): () => T {
  let last: { value: T; atMs: number } | null = null;
  return () => {
    const nowMs = performance.now();
    if (last === null || nowMs - last.atMs > MOMENT_MS) last = { value: look(), atMs: nowMs };
    return last.value;
  };
}

/** Counts what is under way under each key, so that one cannot take it all. */
export interface Shares {
  /** Counts one in and returns what counts it out again; null when the key has its share already. */
  enter(key: string): (() => void) | null;
}

export function createShares(most: number): Shares {
  const running = new Map<string, number>();
  return {
    enter(key) {
      const count = running.get(key) ?? 0;
      if (count >= most) return null;
      running.set(key, count + 1);
      return () => {
        const left = running.get(key)! - 1;
        if (left === 0) running.delete(key);
        else running.set(key, left);
      };
    },
  };
}

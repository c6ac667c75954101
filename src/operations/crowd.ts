import type { Caller } from '../access/index.ts';
import { tooManyCalls } from './errors.ts';

/** Counts the calls of each subject that are under way, so that one who asks without end keeps nobody else waiting. */
export function createCrowd(callsMax: number): { enter(caller: Caller): () => void } {
  const running = new Map<string, number>();
  return {
    enter({ subject }) {
      const key = `${subject.kind}:${subject.name}`;
      const calls = running.get(key) ?? 0;
      if (calls >= callsMax) throw tooManyCalls(callsMax);
      running.set(key, calls + 1);
      return () => {
        const left = running.get(key)! - 1;
        if (left === 0) running.delete(key);
        else running.set(key, left);
      };
    },
  };
}

import { tooManyOfOneAsker } from './errors.ts';
import type { Credential } from './types.ts';

/** Of all requests in work, so many may be one asker's: who holds one token cannot turn away everybody else. */
const SHARE = 4;
const LEAST = 8;

export interface Shares {
  /** Counts a request in, or refuses it; what is returned counts it out. */
  enter(credential: Credential): () => void;
}

export function createShares(requestsInFlightMax: number): Shares {
  const most = Math.max(LEAST, Math.floor(requestsInFlightMax / SHARE));
  const running = new Map<string, number>();
  return {
    enter(credential) {
      const asker = credential.kind === 'token' ? credential.token : '';
      const requests = running.get(asker) ?? 0;
      if (requests >= most) throw tooManyOfOneAsker();
      running.set(asker, requests + 1);
      return () => {
        const left = running.get(asker)! - 1;
        if (left === 0) running.delete(asker);
        else running.set(asker, left);
      };
    },
  };
}

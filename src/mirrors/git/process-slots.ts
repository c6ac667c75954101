import { cancelled } from '../../base/errors.ts';
import { busy } from '../errors.ts';

export interface ProcessSlots {
  /** Waits its turn; fails with `busy` when too many wait already. The returned function gives the slot back. */
  take(signal: AbortSignal | undefined): Promise<() => void>;
}

export function createProcessSlots(options: {
  what: string;
  activeMax: number;
  waitingMax: number;
}): ProcessSlots {
  let active = 0;
  const waiting: { start: () => void }[] = [];

  const giveBack = () => {
    active -= 1;
    waiting.shift()?.start();
  };
  const slot = () => {
    active += 1;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      giveBack();
    };
  };

  return {
    take(signal) {
      if (signal?.aborted) return Promise.reject(cancelled(signal.reason));
      if (active < options.activeMax) return Promise.resolve(slot());
      if (waiting.length >= options.waitingMax) return Promise.reject(busy(options.what));
      return new Promise((resolve, reject) => {
        const onAbort = () => {
          waiting.splice(waiting.indexOf(entry), 1);
          reject(cancelled(signal?.reason));
        };
        const entry = {
          start() {
            signal?.removeEventListener('abort', onAbort);
            resolve(slot());
          },
        };
        waiting.push(entry);
        signal?.addEventListener('abort', onAbort, { once: true });
      });
    },
  };
}

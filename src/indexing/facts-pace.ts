import type { BuildThreads } from './build-threads.ts';

export interface FactsPace {
  /** Returns when the part of this place, among those of one large segment, may go on for a slice. */
  large(place: number): Promise<void>;
  /** Changes are waited for: they go on whenever no text of a change is being indexed. */
  small(): Promise<void>;
}

const lookMs = 20;

/** Extracting facts leaves the cores to those that index texts: large segments take what is left over, changes all but a moment. */
export function createFactsPace(
  threads: Pick<BuildThreads, 'busy'>,
  { cores, isOver }: { cores: number; isOver(): boolean },
): FactsPace {
  const until = async (isFree: () => boolean) => {
    while (!isFree() && !isOver()) await new Promise((resolve) => setTimeout(resolve, lookMs));
  };
  return {
    large: (place) =>
      until(() => {
        const { bulk, express } = threads.busy();
        return express === 0 && place < cores - bulk;
      }),
    small: () => until(() => threads.busy().express === 0),
  };
}

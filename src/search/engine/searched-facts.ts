import { PeriscopeError } from '../../base/errors.ts';
import type { FactsReader } from '../facts/facts-reader.ts';
import type { OpenFacts } from '../facts/open-facts.ts';
import type { SearchedSegment } from './searched-segment.ts';

/** The facts of segments as one query reads them. Damage costs the facts of that segment, not its texts. */
export class SearchedFacts {
  readonly reader: FactsReader;
  readonly problems = new Set<string>();
  readonly #facts: (OpenFacts | null)[];

  constructor(reader: FactsReader, segments: readonly SearchedSegment[]) {
    this.reader = reader;
    this.#facts = segments.map(({ facts }) => facts);
  }

  /** Whether it is known what a blob defines. */
  knows(segment: number, blob: number): boolean {
    const facts = this.#facts[segment] ?? null;
    return facts !== null && this.reader.skipped(facts, blob) === null;
  }

  /** What `work` gives for the facts of a segment, `otherwise` where there are none. */
  read<T>(segment: number, otherwise: T, work: (facts: OpenFacts) => T): T {
    const facts = this.#facts[segment] ?? null;
    if (facts === null) return otherwise;
    try {
      return work(facts);
    } catch (error) {
      if (!(error instanceof PeriscopeError) || error.kind !== 'unavailable') throw error;
      this.#facts[segment] = null;
      this.problems.add(`${error.message} ${error.next}`);
      return otherwise;
    }
  }
}

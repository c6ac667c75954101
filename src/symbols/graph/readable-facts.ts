import path from 'node:path';
import {
  type AskedGround,
  damagedFileOf,
  type FactsReader,
  noteDamage,
  type OpenFacts,
} from '../../search/index.ts';

/** Facts turned out to be damaged while a question was answered. The view knows which by now, and leaves them out. */
export class DamageMet extends Error {}

/** The facts of each segment that are to be read, for the questions of one view. */
export class ReadableFacts {
  readonly reader: FactsReader;
  /** Segments whose facts turned out to be damaged. */
  readonly damaged: Set<number>;
  /** What the question at hand is asked of; its view stays the same. */
  asked: AskedGround;

  constructor(asked: AskedGround, reader: FactsReader, damaged: Iterable<number>) {
    this.asked = asked;
    this.reader = reader;
    this.damaged = new Set(damaged);
  }

  factsOf(segment: number): OpenFacts | null {
    return this.damaged.has(segment) ? null : this.asked.segments[segment]!.facts;
  }

  /** Whether a fault is damage of facts that were read so far; they are not from now on. */
  noteFault(fault: unknown): boolean {
    const file = damagedFileOf(fault);
    const segment = this.asked.segments.findIndex(
      ({ facts }, at) => facts !== null && path.basename(facts.file) === file && !this.damaged.has(at),
    );
    if (segment < 0) return false;
    noteDamage(this.asked.segments[segment]!.facts!.file);
    this.damaged.add(segment);
    return true;
  }

  /** Damage costs the facts of its own segment. What was worked out by then may rest on them: the question has to be asked anew. */
  guarded<T>(segment: number, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (damagedFileOf(error) === null) throw error;
      noteDamage(this.asked.segments[segment]!.facts!.file);
      this.damaged.add(segment);
      throw new DamageMet();
    }
  }

  eachSegment(visit: (facts: OpenFacts, ranks: Uint32Array) => void): void {
    for (const segment of this.asked.segments.keys()) {
      const facts = this.factsOf(segment);
      const ranks = this.asked.view.rankOfBlob[segment];
      if (facts !== null && ranks != null) this.guarded(segment, () => visit(facts, ranks));
    }
  }
}

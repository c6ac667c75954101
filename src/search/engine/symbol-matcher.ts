import { type SymbolFact, symbolKinds } from '../facts/types.ts';
import type { TextPattern } from '../queries/types.ts';
import type { LiteralQuery } from '../regex/literal-query.ts';
import type { Regex } from '../regex/regex.ts';
import { requiredLiterals } from '../regex/required-literals.ts';
import type { Deadline } from '../regex/work-meter.ts';
import { bestLiterals } from './best-literals.ts';
import type { SearchedFacts } from './searched-facts.ts';
import { EDGE_OF_SYMBOL, lessOfKind, PART_OF_SYMBOL, WHOLE_SYMBOL } from './symbol-weight.ts';

const NONE = new Uint32Array(0);

/** Finds definitions by their names. */
export class SymbolMatcher {
  readonly notes: readonly string[] = [];
  /** Lines are told by the definitions, never by the whole text. */
  readonly needsWholeText = false;
  readonly #pattern: TextPattern;
  readonly #folded: string;
  readonly #regex: Regex | null;
  /** What each name that fits holds, in any case; empty where nothing is known. */
  readonly #part: string;
  readonly #deadline: Deadline;

  constructor(pattern: TextPattern, regexOf: (pattern: TextPattern) => Regex, deadline: Deadline) {
    this.#pattern = pattern;
    this.#folded = pattern.source.toLowerCase();
    this.#regex = pattern.literal ? null : regexOf(pattern);
    this.#part = this.#regex === null ? pattern.source : partOf(requiredLiterals(this.#regex));
    this.#deadline = deadline;
  }

  /** Blobs of a segment that define a name which fits, ascending, of those that have a rank. */
  blobs(facts: SearchedFacts, segment: number, ranks: Uint32Array): Uint32Array {
    return facts.read(segment, NONE, (open) => {
      const found = new Set<number>();
      const visible = (blob: number) => ranks[blob] !== 0;
      const stop = () => this.#deadline.expired();
      const options = { limit: Number.POSITIVE_INFINITY, visible, stop };
      for (const { name, definitions } of facts.reader.namesContaining(open, this.#part, options)) {
        if (this.#fits(name)) for (const blob of definitions.blobs) if (visible(blob)) found.add(blob);
      }
      return Uint32Array.from(found).sort();
    });
  }

  /** Of a blob those that fit, in their order. */
  definitions(facts: SearchedFacts, segment: number, blob: number): SymbolFact[] {
    return facts.read(segment, [], (open) => {
      return facts.reader.symbolsOf(open, blob).filter(({ name }) => this.#fits(name));
    });
  }

  scoreOf({ name, kind }: SymbolFact): number {
    return this.#nameScore(name) - lessOfKind[symbolKinds.indexOf(kind)]!;
  }

  #nameScore(name: string): number {
    const { source, ignoreCase } = this.#pattern;
    if (this.#regex !== null) {
      const bytes = Buffer.from(name);
      const [range] = this.#regex.ranges(bytes, 0, bytes.length, 1);
      if (range === undefined) return PART_OF_SYMBOL;
      if (range.start === 0 && range.end === bytes.length) return WHOLE_SYMBOL;
      return range.start === 0 || range.end === bytes.length ? EDGE_OF_SYMBOL : PART_OF_SYMBOL;
    }
    const [whole, part] = ignoreCase ? [name.toLowerCase(), this.#folded] : [name, source];
    if (whole === part) return WHOLE_SYMBOL;
    return whole.startsWith(part) || whole.endsWith(part) ? EDGE_OF_SYMBOL : PART_OF_SYMBOL;
  }

  #fits(name: string): boolean {
    if (this.#regex !== null) return !name.includes('\n') && this.#regex.test(Buffer.from(name));
    const { source, ignoreCase } = this.#pattern;
    return ignoreCase ? name.toLowerCase().includes(this.#folded) : name.includes(source);
  }
}

/** A text that all names which fit hold, where one is known. */
function partOf(required: LiteralQuery): string {
  const literals = bestLiterals(required, 1) ?? [];
  return literals.length === 1 && /^[\x20-\x7e]*$/.test(literals[0]!) ? literals[0]! : '';
}

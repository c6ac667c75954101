import {
  type FactsOutcome,
  type FileFacts,
  type ReferenceKind,
  referenceKinds,
  symbolKinds,
} from '../types.ts';

/** Answers what a facts file answers by looking at all facts. */
export class NaiveFacts {
  readonly #outcomes: readonly FactsOutcome[];

  constructor(outcomes: readonly FactsOutcome[]) {
    this.#outcomes = outcomes;
  }

  definitionsOf(name: string, visible: (blob: number) => boolean = everywhere): (number | boolean)[][] {
    return this.#each((facts, blob) =>
      !visible(blob)
        ? []
        : facts.symbols.flatMap((symbol, number) =>
            symbol.name === name ? [[blob, number, symbolKinds.indexOf(symbol.kind), symbol.exported]] : [],
          ),
    );
  }

  /** Blob, times, bits of the kinds; the bit behind those where it is imported. */
  usesOf(name: string, kinds: readonly ReferenceKind[] | null): number[][] {
    return this.#each((facts, blob) => {
      const uses = facts.references.filter((reference) => reference.name === name);
      if (!uses.some(({ kind }) => kinds === null || kinds.includes(kind))) return [];
      const bits = new Set(uses.map(({ kind }) => 2 ** referenceKinds.indexOf(kind)));
      if (imports(facts, name)) bits.add(2 ** referenceKinds.length);
      return [[blob, uses.length, [...bits].reduce((sum, bit) => sum + bit, 0)]];
    });
  }

  blobsImportingName(name: string): number[] {
    return this.#each((facts, blob) => (imports(facts, name) ? [blob] : []));
  }

  importersOf(module: string, visible: (blob: number) => boolean = everywhere): number[] {
    return this.#each((facts, blob) =>
      visible(blob) && facts.imports.some((imported) => imported.module === module) ? [blob] : [],
    );
  }

  definedNames(fits: (name: string) => boolean, limit: number, visible = everywhere): string[] {
    const names = this.#each((facts, blob) =>
      visible(blob) ? facts.symbols.map(({ name }) => name).filter(fits) : [],
    );
    return sortedOnce(names).slice(0, limit);
  }

  modules(fits: (module: string) => boolean, limit: number, visible = everywhere): string[] {
    const modules = this.#each((facts, blob) =>
      visible(blob) ? facts.imports.map(({ module }) => module).filter(fits) : [],
    );
    return sortedOnce(modules).slice(0, limit);
  }

  packageFiles(): number[] {
    return this.#each((facts, blob) => (facts.packageFile === null ? [] : [blob]));
  }

  #each<T>(of: (facts: FileFacts, blob: number) => T[]): T[] {
    return this.#outcomes.flatMap((outcome, blob) => ('facts' in outcome ? of(outcome.facts, blob) : []));
  }
}

const everywhere = (_blob: number) => true;

function imports(facts: FileFacts, name: string): boolean {
  return !['', '*', 'default'].includes(name) && facts.imports.some((imported) => imported.name === name);
}

function sortedOnce(names: readonly string[]): string[] {
  return [...new Set(names)].sort((a, b) => {
    const inAnyCase = Buffer.compare(Buffer.from(lettersLowered(a)), Buffer.from(lettersLowered(b)));
    return inAnyCase || Buffer.compare(Buffer.from(a), Buffer.from(b));
  });
}

/** Of ASCII alone. */
export function lettersLowered(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

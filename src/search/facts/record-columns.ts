import { type FileFacts, type ImportFact, referenceKinds, symbolKinds } from './types.ts';
import { VarintWriter } from './varints.ts';

/**
 * The columns of a record: numbers of symbols, references and imports, flags, the length of each section but the last, then the
 * sections. A section has the lengths of its columns but the last, then these. Each column has one value for each symbol, reference
 * or import, `extras` those that its flags announce. Strings are places in the record's list, offsets and lines distances from what
 * is likely; `signed` where that may be negative.
 */
export interface EncodedFacts {
  /** The strings that the columns name, each once. */
  strings: readonly string[];
  columns: Buffer;
}

export const RECORD_ASCENDING = 1;

/** Of a symbol's `kinds`, above the kind. */
export const SYMBOL_EXPORTED = 64;
export const SYMBOL_DOCUMENTED = 128;
/** Of a symbol's `shapes`: what is not as expected and stands in `extras`. */
export const NAME_LINE_APART = 1;
export const ENDS_ON_OTHER_LINE = 2;
export const SIGNATURE_START_APART = 4;
export const SIGNATURE_END_APART = 8;
export const HAS_TYPE = 16;

/** Of a reference's `heads`: the kind in the low four bits, the distance to the line before in the high two. */
export const HAS_RECEIVER = 16;
export const HAS_RECEIVER_TYPE = 32;
export const LINE_SHIFT = 6;
export const FAR_LINE = 3;

export const IMPORT_REEXPORT = 1;
export const IMPORT_RELATIVE = 2;
export const IMPORT_LOCAL_SAME = 4;

const symbolKindNumbers = numbered(symbolKinds);
const referenceKindNumbers = numbered(referenceKinds);

/** Encodes facts of one file after another; what it returns is good until the next call. */
export class FactsEncoder {
  readonly #symbols = columnsOf(9);
  readonly #references = columnsOf(5);
  readonly #imports = columnsOf(5);
  readonly #section = new VarintWriter();
  readonly #rest = new VarintWriter();
  readonly #record = new VarintWriter();
  #places = new Map<string, number>();

  /** `stored` gives a string as it is kept. */
  encode(facts: FileFacts, stored: (text: string) => string): EncodedFacts {
    this.#places = new Map();
    const place = (text: string) => this.#placeOf(stored(text));
    this.#encodeSymbols(facts, place);
    const ascending = this.#encodeReferences(facts, place);
    this.#encodeImports(facts.imports, place);
    this.#encodeRest(facts, place);
    const record = this.#record;
    record.clear();
    record.number(facts.symbols.length);
    record.number(facts.references.length);
    record.number(facts.imports.length);
    record.number(ascending ? RECORD_ASCENDING : 0);
    const sections = [this.#symbols, this.#references, this.#imports];
    for (const section of sections) record.number(this.#sectionOf(section).length);
    for (const section of sections) record.append(this.#sectionOf(section));
    record.append(this.#rest.bytes);
    return { strings: [...this.#places.keys()], columns: record.bytes };
  }

  #placeOf(text: string): number {
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    const place = this.#places.size;
    this.#places.set(text, place);
    return place;
  }

  #encodeSymbols({ symbols }: FileFacts, place: (text: string) => number): void {
    const [names, kinds, shapes, parents, starts, nameStarts, nameLengths, ends, extras] = cleared(
      this.#symbols,
    );
    // Names first: what a text defines is what it is likely to name first in the whole segment.
    for (const symbol of symbols) names!.number(place(symbol.name));
    let before = { start: 0, startLine: 1, parent: -1 };
    for (const [i, symbol] of symbols.entries()) {
      const { start, end, nameEnd, nameLine, startLine, endLine } = symbol;
      const documented = symbol.docStart >= 0;
      kinds!.byte(
        symbolKindNumbers.get(symbol.kind)! |
          (symbol.exported ? SYMBOL_EXPORTED : 0) |
          (documented ? SYMBOL_DOCUMENTED : 0),
      );
      let shape = 0;
      parents!.number(parentCode(symbol.parent, i, before.parent));
      starts!.signed(start - before.start);
      nameStarts!.signed(symbol.nameStart - start);
      nameLengths!.signed(nameEnd - symbol.nameStart);
      ends!.signed(end - nameEnd);
      extras!.signed(startLine - before.startLine);
      if (nameLine !== startLine) {
        shape |= NAME_LINE_APART;
        extras!.signed(nameLine - startLine);
      }
      if (endLine !== startLine) {
        shape |= ENDS_ON_OTHER_LINE;
        extras!.signed(endLine - startLine);
      }
      if (symbol.signatureStart !== start) {
        shape |= SIGNATURE_START_APART;
        extras!.signed(symbol.signatureStart - start);
      }
      if (symbol.signatureEnd !== end) {
        shape |= SIGNATURE_END_APART;
        extras!.signed(symbol.signatureEnd - nameEnd);
      }
      if (symbol.type !== null) {
        shape |= HAS_TYPE;
        extras!.number(place(symbol.type));
      }
      if (documented) {
        extras!.signed(start - symbol.docEnd);
        extras!.signed(symbol.docEnd - symbol.docStart);
      }
      shapes!.byte(shape);
      before = symbol;
    }
  }

  #encodeReferences({ references }: FileFacts, place: (text: string) => number): boolean {
    const [names, heads, starts, froms, extras] = cleared(this.#references);
    const ascending = references.every(({ start }, i) => i === 0 || start >= references[i - 1]!.start);
    let before = { start: 0, line: 1, from: -1 };
    let run = 0;
    let runFrom = 0;
    for (const reference of references) {
      const { start, line, from, receiver, receiverType } = reference;
      names!.number(place(reference.name));
      const lines = line - before.line;
      const near = lines >= 0 && lines < FAR_LINE;
      heads!.byte(
        referenceKindNumbers.get(reference.kind)! |
          (receiver === null ? 0 : HAS_RECEIVER) |
          (receiverType === null ? 0 : HAS_RECEIVER_TYPE) |
          ((near ? lines : FAR_LINE) << LINE_SHIFT),
      );
      if (ascending) starts!.number(start - before.start);
      else starts!.signed(start - before.start);
      if (!near) extras!.signed(lines);
      if (receiver !== null) extras!.number(place(receiver));
      if (receiverType !== null) extras!.number(place(receiverType));
      if (from === before.from && run > 0) run++;
      else {
        if (run > 0) froms!.number(run);
        froms!.signed(from - runFrom);
        runFrom = from;
        run = 1;
      }
      before = reference;
    }
    if (run > 0) froms!.number(run);
    return ascending;
  }

  #encodeImports(imports: readonly ImportFact[], place: (text: string) => number): void {
    const [modules, names, flags, starts, extras] = cleared(this.#imports);
    let before = { start: 0, line: 1 };
    for (const imported of imports) {
      const { start, line, name, local } = imported;
      modules!.number(place(imported.module));
      names!.number(place(name));
      flags!.byte(
        (imported.reexport ? IMPORT_REEXPORT : 0) |
          (imported.relative ? IMPORT_RELATIVE : 0) |
          (local === name ? IMPORT_LOCAL_SAME : 0),
      );
      starts!.signed(start - before.start);
      extras!.signed(line - before.line);
      if (local !== name) extras!.number(place(local));
      before = imported;
    }
  }

  #encodeRest({ namespace, packageFile }: FileFacts, place: (text: string) => number): void {
    this.#rest.clear();
    this.#rest.number(namespace === null ? 0 : place(namespace) + 1);
    if (packageFile !== null) this.#rest.append(Buffer.from(JSON.stringify(packageFile)));
  }

  #sectionOf(columns: readonly VarintWriter[]): Buffer {
    this.#section.clear();
    for (const column of columns.slice(0, -1)) this.#section.number(column.length);
    for (const column of columns) this.#section.append(column.bytes);
    return this.#section.bytes;
  }
}

/** 0: it has the parent of the symbol before. Else how far back its parent lies; one that has none counts as a child of -1. */
function parentCode(parent: number, symbol: number, parentBefore: number): number {
  if (parent === parentBefore) return 0;
  return symbol - parent;
}

function columnsOf(count: number): VarintWriter[] {
  return Array.from({ length: count }, () => new VarintWriter());
}

function cleared(columns: readonly VarintWriter[]): readonly VarintWriter[] {
  for (const column of columns) column.clear();
  return columns;
}

function numbered<T>(words: readonly T[]): ReadonlyMap<T, number> {
  return new Map(words.map((word, i) => [word, i]));
}

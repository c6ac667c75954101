import type { SymbolFact, SymbolKind } from './types.ts';

/** Gives the string at a place of the record's list. */
export type TextAt = (place: number) => string;

/** Numbers and words of a symbol that a record has at hand; -1 for no type. */
export type SymbolColumns = Omit<SymbolFact, 'name' | 'type'> & { namePlace: number; typePlace: number };

/** A symbol whose name and type are read from the file when somebody asks: of most symbols nobody does. */
export class StoredSymbol implements SymbolFact {
  readonly kind: SymbolKind;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly start: number;
  readonly end: number;
  readonly signatureStart: number;
  readonly signatureEnd: number;
  readonly docStart: number;
  readonly docEnd: number;
  readonly nameLine: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly parent: number;
  readonly exported: boolean;
  readonly #text: TextAt;
  /** Its place until it is read. */
  #name: number | string;
  #type: number | string | null;

  constructor(columns: SymbolColumns, text: TextAt) {
    this.kind = columns.kind;
    this.nameStart = columns.nameStart;
    this.nameEnd = columns.nameEnd;
    this.start = columns.start;
    this.end = columns.end;
    this.signatureStart = columns.signatureStart;
    this.signatureEnd = columns.signatureEnd;
    this.docStart = columns.docStart;
    this.docEnd = columns.docEnd;
    this.nameLine = columns.nameLine;
    this.startLine = columns.startLine;
    this.endLine = columns.endLine;
    this.parent = columns.parent;
    this.exported = columns.exported;
    this.#text = text;
    this.#name = columns.namePlace;
    this.#type = columns.typePlace < 0 ? null : columns.typePlace;
  }

  get name(): string {
    if (typeof this.#name === 'number') this.#name = this.#text(this.#name);
    return this.#name;
  }

  get type(): string | null {
    if (typeof this.#type === 'number') this.#type = this.#text(this.#type);
    return this.#type;
  }
}

/** The same with name and type read. */
export function readSymbol(symbol: StoredSymbol): SymbolFact {
  return { ...symbol, name: symbol.name, type: symbol.type };
}

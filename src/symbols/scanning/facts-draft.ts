import type { FileFacts, ReferenceKind, SymbolKind } from '../../search/index.ts';
import { factsOfDrafts } from './facts-of-drafts.ts';

/** A definition as a scanner meets it. Offsets are UTF-16 units of the text. */
export interface SymbolDraft {
  name: string;
  kind: SymbolKind;
  nameStart: number;
  nameEnd: number;
  start: number;
  /** May be put right once it is known. */
  end: number;
  /** The signature ends before it; default with the line of the name. */
  bodyStart?: number;
  /** Default true. */
  exported?: boolean;
  type?: string | null;
  /** The symbol that it belongs to, where that stands before it and not around it. */
  parent?: SymbolDraft;
  /** Default the comment right above. */
  doc?: readonly [number, number];
}

export interface ReferenceDraft {
  name: string;
  kind: ReferenceKind;
  start: number;
  receiver?: string | null;
  receiverType?: string | null;
}

export interface ScannedImport {
  module: string;
  at: number;
  /** Default `*`. */
  name?: string;
  /** Default none. */
  local?: string;
  relative?: boolean;
  reexport?: boolean;
}

/** What a scanner has found so far. Parents are found from the ranges: the innermost one around a symbol or a use. */
export interface FactsDraft {
  readonly text: string;
  readonly symbols: SymbolDraft[];
  readonly references: ReferenceDraft[];
  readonly imports: ScannedImport[];
  /** Start and end of each comment, in order. */
  readonly comments: number[];
  namespace: string | null;
  /** Gives the draft back so that its end can be put right. */
  symbol(draft: SymbolDraft): SymbolDraft;
  /** No room for further symbols: a scanner of data may end here. */
  readonly isFull: boolean;
  finish(): FileFacts;
}

export interface DraftOptions {
  /** Further symbols and uses are left out. Default none: for programs. */
  symbolsMax?: number;
}

const NAME_UNITS_MAX = 500;

export function draftFacts(
  text: string,
  { symbolsMax = Number.POSITIVE_INFINITY }: DraftOptions = {},
): FactsDraft {
  const draft: FactsDraft = {
    text,
    symbols: [],
    references: [],
    imports: [],
    comments: [],
    namespace: null,
    symbol(one) {
      if (!draft.isFull && one.name !== '' && one.name.length <= NAME_UNITS_MAX) draft.symbols.push(one);
      return one;
    },
    get isFull() {
      return draft.symbols.length >= symbolsMax;
    },
    finish() {
      if (draft.references.length > symbolsMax) draft.references.length = symbolsMax;
      return factsOfDrafts(draft, (name) => name !== '' && name.length <= NAME_UNITS_MAX);
    },
  };
  return draft;
}

/** Bound for data: what is stored of it must stay small beside it. */
export function dataBound(text: string): number {
  return Math.min(2000, 50 + Math.floor(text.length / 40));
}

import {
  LOCAL_SYMBOL,
  ScipBuilder,
  type ScipOccurrence,
  type ScipSummary,
  symbolParts,
} from '../../search/index.ts';
import { PlaceColumns } from './place-columns.ts';
import { type ReadDocument, readScipIndex } from './read-scip-index.ts';
import { scipTooMuch } from './scip-faults.ts';

export interface TakeScipOptions {
  /** The upload. */
  upload: string;
  /** Where our file of it goes. */
  file: string;
  /** Folder of the repository that its paths are counted from: '' or with a slash at its end. */
  root: string;
  /** The stored text of a path; null where the commit has none that may be shown. */
  textOf(path: string): Uint8Array | null;
  mask(text: Uint8Array): number;
  /** Of the file that is written. */
  fileBytesMax: number;
}

/** What was left out, counted. */
export interface ScipLeftOut {
  /** Paths that the commit does not have, or that may not be shown. */
  unknownPaths: number;
  /** Further documents of a path. */
  repeatedPaths: number;
  /** Occurrences at places that the text does not have. */
  outsideText: number;
  /** Occurrences of symbols that cannot be read. */
  unreadableSymbols: number;
}

export interface TakenScip {
  summary: ScipSummary;
  leftOut: ScipLeftOut;
}

const SYMBOLS_MAX = 1_000_000;
const USES_MAX = 10_000_000;
const IMPLEMENTATIONS_MAX = 1_000_000;
const SYMBOL_LENGTH_MAX = 2000;

/** Makes an uploaded SCIP index into our file: only what the commit shows, by bytes of the stored texts. */
export function takeScipIndex(options: TakeScipOptions): TakenScip {
  const { upload, file, root, textOf, mask, fileBytesMax } = options;
  const builder = new ScipBuilder({ file, mask });
  const seen = new Set<string>();
  const leftOut: ScipLeftOut = { unknownPaths: 0, repeatedPaths: 0, outsideText: 0, unreadableSymbols: 0 };
  let implementations = 0;
  try {
    readScipIndex(upload, (document) => {
      // What is not shown names nothing either.
      if (document.path === '' || addDocument(document)) addImplementations(document);
      if (builder.symbols > SYMBOLS_MAX) throw scipTooMuch(`over ${SYMBOLS_MAX} symbols`);
      if (builder.uses > USES_MAX) throw scipTooMuch(`over ${USES_MAX} occurrences`);
      if (builder.bytes > fileBytesMax)
        throw scipTooMuch(`what is kept of it has over ${fileBytesMax >> 20} MB`);
    });
    return { summary: builder.finish(), leftOut };
  } catch (error) {
    builder.discard();
    throw error;
  }

  function addDocument({ path: written, unit, occurrences }: ReadDocument): boolean {
    const path = `${root}${written}`;
    if (seen.has(path)) {
      leftOut.repeatedPaths++;
      return false;
    }
    const text = textOf(path);
    if (text === null) {
      leftOut.unknownPaths++;
      return false;
    }
    seen.add(path);
    const columns = new PlaceColumns(text, unit);
    const placed: ScipOccurrence[] = [];
    for (const { line, column, symbol, isDefinition } of occurrences) {
      const start = columns.offset(line, column);
      const number = start < 0 ? null : numberOf(symbol);
      if (start < 0) leftOut.outsideText++;
      else if (number === null) leftOut.unreadableSymbols++;
      else placed.push({ start, symbol: number, isDefinition });
    }
    builder.add(path, placed);
    return true;
  }

  function addImplementations({ implementations: pairs }: ReadDocument): void {
    for (const [symbol, of] of pairs) {
      if (isLocal(symbol) || isLocal(of)) continue;
      const [one, other] = [numberOf(symbol), numberOf(of)];
      if (one === null || other === null || one === other) continue;
      if (++implementations > IMPLEMENTATIONS_MAX)
        throw scipTooMuch(`over ${IMPLEMENTATIONS_MAX} implementations`);
      builder.implementation(one, other);
    }
  }

  /** 0 for a local one. */
  function numberOf(symbol: string): number | null {
    if (isLocal(symbol)) return 0;
    const isReadable =
      symbol.length <= SYMBOL_LENGTH_MAX && !symbol.includes('\n') && symbolParts(symbol) !== null;
    return isReadable ? builder.symbol(symbol) : null;
  }
}

function isLocal(symbol: string): boolean {
  return symbol.startsWith(LOCAL_SYMBOL);
}

import {
  ENDS_ON_OTHER_LINE,
  FAR_LINE,
  HAS_RECEIVER,
  HAS_RECEIVER_TYPE,
  HAS_TYPE,
  IMPORT_LOCAL_SAME,
  IMPORT_REEXPORT,
  IMPORT_RELATIVE,
  LINE_SHIFT,
  NAME_LINE_APART,
  RECORD_ASCENDING,
  SIGNATURE_END_APART,
  SIGNATURE_START_APART,
  SYMBOL_DOCUMENTED,
  SYMBOL_EXPORTED,
} from './record-columns.ts';
import { StoredSymbol, type TextAt } from './stored-symbol.ts';
import {
  type ImportFact,
  type PackageFact,
  type ReferenceFact,
  referenceKinds,
  symbolKinds,
} from './types.ts';
import { VarintReader } from './varints.ts';

const KIND_BITS = 63;
const REFERENCE_KIND_BITS = 15;

/** Reads the columns of a record, each section by itself. */
export class RecordReader {
  readonly symbols: number;
  readonly references: number;
  readonly imports: number;
  readonly #ascending: boolean;
  readonly #columns: Buffer;
  readonly #symbolsAt: number;
  readonly #referencesAt: number;
  readonly #importsAt: number;
  readonly #restAt: number;

  constructor(columns: Buffer) {
    const reader = new VarintReader(columns);
    const most = columns.length;
    this.#columns = columns;
    this.symbols = Math.min(reader.number(), most);
    this.references = Math.min(reader.number(), most);
    this.imports = Math.min(reader.number(), most);
    this.#ascending = (reader.number() & RECORD_ASCENDING) !== 0;
    const [symbolBytes, referenceBytes, importBytes] = [reader.number(), reader.number(), reader.number()];
    this.#symbolsAt = reader.at;
    this.#referencesAt = this.#symbolsAt + symbolBytes;
    this.#importsAt = this.#referencesAt + referenceBytes;
    this.#restAt = this.#importsAt + importBytes;
  }

  /** Place of the name, kind and whether it is exported, of each symbol. */
  eachDefinition(visit: (place: number, kind: number, exported: boolean) => void): void {
    const [names, kinds] = this.#open(this.#symbolsAt, 9);
    for (let i = 0; i < this.symbols; i++) {
      const place = names!.number();
      const kind = kinds!.byte();
      visit(place, kind & KIND_BITS, (kind & SYMBOL_EXPORTED) !== 0);
    }
  }

  eachUse(visit: (place: number, kind: number) => void): void {
    const [names, heads] = this.#open(this.#referencesAt, 5);
    for (let i = 0; i < this.references; i++) {
      const place = names!.number();
      visit(place, heads!.byte() & REFERENCE_KIND_BITS);
    }
  }

  eachImport(visit: (module: number, name: number) => void): void {
    const [modules, names] = this.#open(this.#importsAt, 5);
    for (let i = 0; i < this.imports; i++) {
      const module = modules!.number();
      visit(module, names!.number());
    }
  }

  /** The symbols from the `first`, all of them unless told how many. */
  readSymbols(text: TextAt, first = 0, count = this.symbols): StoredSymbol[] {
    const [names, kinds, shapes, parents, starts, nameStarts, nameLengths, ends, extras] = this.#open(
      this.#symbolsAt,
      9,
    );
    const symbols: StoredSymbol[] = [];
    let start = 0;
    let startLine = 1;
    let parent = -1;
    for (let i = 0; i < Math.min(first + count, this.symbols); i++) {
      const kind = kinds!.byte();
      const shape = shapes!.byte();
      const parentCode = parents!.number();
      if (parentCode !== 0) parent = i - parentCode;
      start += starts!.signed();
      const nameStart = start + nameStarts!.signed();
      const nameEnd = nameStart + nameLengths!.signed();
      const symbolEnd = nameEnd + ends!.signed();
      startLine += extras!.signed();
      const nameLine = startLine + (shape & NAME_LINE_APART ? extras!.signed() : 0);
      const endLine = startLine + (shape & ENDS_ON_OTHER_LINE ? extras!.signed() : 0);
      const signatureStart = start + (shape & SIGNATURE_START_APART ? extras!.signed() : 0);
      const signatureEnd = shape & SIGNATURE_END_APART ? nameEnd + extras!.signed() : symbolEnd;
      const type = shape & HAS_TYPE ? extras!.number() : -1;
      let docStart = -1;
      let docEnd = -1;
      if (kind & SYMBOL_DOCUMENTED) {
        docEnd = start - extras!.signed();
        docStart = docEnd - extras!.signed();
      }
      const name = names!.number();
      if (i < first) continue;
      const columns = {
        namePlace: name,
        typePlace: type,
        kind: symbolKinds[kind & KIND_BITS]!,
        nameStart,
        nameEnd,
        start,
        end: symbolEnd,
        signatureStart,
        signatureEnd,
        docStart,
        docEnd,
        nameLine,
        startLine,
        endLine,
        parent,
        exported: (kind & SYMBOL_EXPORTED) !== 0,
      };
      symbols.push(new StoredSymbol(columns, text));
    }
    return symbols;
  }

  /** All references, or those of the names at one place, or of some kinds (bits as in postings). */
  readReferences(text: TextAt, only = -1, kinds = -1): ReferenceFact[] {
    const [names, heads, starts, froms, extras] = this.#open(this.#referencesAt, 5);
    const references: ReferenceFact[] = [];
    let start = 0;
    let line = 1;
    let from = 0;
    let run = 0;
    for (let i = 0; i < this.references; i++) {
      const place = names!.number();
      const head = heads!.byte();
      start += this.#ascending ? starts!.number() : starts!.signed();
      const lines = head >> LINE_SHIFT;
      line += lines === FAR_LINE ? extras!.signed() : lines;
      const receiver = head & HAS_RECEIVER ? extras!.number() : -1;
      const receiverType = head & HAS_RECEIVER_TYPE ? extras!.number() : -1;
      if (run === 0) {
        from += froms!.signed();
        run = froms!.number();
      }
      run--;
      if (only >= 0 && place !== only) continue;
      if ((kinds & (1 << (head & REFERENCE_KIND_BITS))) === 0) continue;
      references.push({
        name: text(place),
        kind: referenceKinds[head & REFERENCE_KIND_BITS]!,
        start,
        line,
        from,
        receiver: receiver < 0 ? null : text(receiver),
        receiverType: receiverType < 0 ? null : text(receiverType),
      });
    }
    return references;
  }

  /** All imports, or those that name or bind the string at one place. */
  readImports(text: TextAt, only = -1): ImportFact[] {
    const [modules, names, flags, starts, extras] = this.#open(this.#importsAt, 5);
    const imports: ImportFact[] = [];
    let start = 0;
    let line = 1;
    for (let i = 0; i < this.imports; i++) {
      const flag = flags!.byte();
      const module = modules!.number();
      const name = names!.number();
      start += starts!.signed();
      line += extras!.signed();
      const local = flag & IMPORT_LOCAL_SAME ? name : extras!.number();
      if (only >= 0 && name !== only && local !== only) continue;
      imports.push({
        module: text(module),
        name: text(name),
        local: text(local),
        reexport: (flag & IMPORT_REEXPORT) !== 0,
        relative: (flag & IMPORT_RELATIVE) !== 0,
        start,
        line,
      });
    }
    return imports;
  }

  readNamespace(text: TextAt): string | null {
    const place = new VarintReader(this.#columns, this.#restAt).number();
    return place === 0 ? null : text(place - 1);
  }

  get hasPackage(): boolean {
    return this.#packageAt < this.#columns.length;
  }

  readPackage(): PackageFact | null {
    if (!this.hasPackage) return null;
    return JSON.parse(this.#columns.toString('utf8', this.#packageAt)) as PackageFact;
  }

  get #packageAt(): number {
    const reader = new VarintReader(this.#columns, this.#restAt);
    reader.number();
    return reader.at;
  }

  #open(section: number, count: number): VarintReader[] {
    const lengths = new VarintReader(this.#columns, section);
    const readers: VarintReader[] = [];
    const sizes = Array.from({ length: count - 1 }, () => lengths.number());
    let at = lengths.at;
    for (const size of [...sizes, 0]) {
      readers.push(new VarintReader(this.#columns, at));
      at += size;
    }
    return readers;
  }
}

import { REPLACEMENT } from './code-point-set.ts';
import { badSyntax, unsupported } from './regex-errors.ts';

/** A pattern and the place the parser has reached in it. */
export class PatternReader {
  readonly source: string;
  offset = 0;

  constructor(source: string) {
    this.source = source;
  }

  get done(): boolean {
    return this.offset >= this.source.length;
  }

  /** The unit `ahead` of the current one; empty beyond the end. */
  peek(ahead = 0): string {
    return this.source.charAt(this.offset + ahead);
  }

  startsWith(text: string): boolean {
    return this.source.startsWith(text, this.offset);
  }

  take(text: string): boolean {
    if (!this.startsWith(text)) return false;
    this.offset += text.length;
    return true;
  }

  /** The sticky expression's match here, consumed. */
  takeMatch(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.offset;
    const found = sticky.exec(this.source);
    if (!found) return undefined;
    this.offset += found[0].length;
    return found;
  }

  /** One code point; half of a surrogate pair, which no UTF-8 text holds, is read as U+FFFD. */
  takeCodePoint(): number {
    const codePoint = this.source.codePointAt(this.offset)!;
    this.offset += codePoint > 0xffff ? 2 : 1;
    return codePoint >= 0xd800 && codePoint <= 0xdfff ? REPLACEMENT : codePoint;
  }

  /** Throws with the span from `start` to the current place. */
  fail(start: number, what: string, next: string): never {
    throw badSyntax(this.source, { offset: start, length: this.offset - start }, what, next);
  }

  failUnsupported(start: number, what: string, next: string): never {
    throw unsupported(this.source, { offset: start, length: this.offset - start }, what, next);
  }
}

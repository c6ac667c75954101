import { compareNames } from './name-order.ts';

/** Bytes that a string takes beside its characters: its header, its place in the table and in the list. */
const STRING_OVERHEAD = 72;

/** Numbers strings in the order in which they first come up. */
export class StringNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  #characters = 0;

  get count(): number {
    return this.#texts.length;
  }

  get bytesUsed(): number {
    return this.#characters + this.#texts.length * STRING_OVERHEAD;
  }

  text(number: number): string {
    return this.#texts[number]!;
  }

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    // A copy: a part of a text would keep all of that text in memory. It also is what reading it back will give.
    const copy = Buffer.from(text).toString();
    const sameCopy = this.#numbers.get(copy);
    if (sameCopy !== undefined) return sameCopy;
    this.#numbers.set(copy, this.#texts.length);
    this.#characters += copy.length;
    return this.#texts.push(copy) - 1;
  }

  /** Sorts numbers by their strings, in the order of `compareNames`. */
  sort(numbers: number[]): number[] {
    const texts = this.#texts;
    // UTF-16 and UTF-8 sort alike but for what lies beyond the basic plane.
    const sortsAsBytes = numbers.every((number) => !/[\ud800-\udfff]/.test(texts[number]!));
    if (!sortsAsBytes) {
      const bytes = new Map(numbers.map((number) => [number, Buffer.from(texts[number]!)]));
      return numbers.sort((a, b) => {
        const [left, right] = [bytes.get(a)!, bytes.get(b)!];
        return compareNames(left, left.length, right, right.length);
      });
    }
    const folded = new Map(
      numbers.map((number) => [
        number,
        texts[number]!.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
      ]),
    );
    return numbers.sort((a, b) => order(folded.get(a)!, folded.get(b)!) || order(texts[a]!, texts[b]!));
  }
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

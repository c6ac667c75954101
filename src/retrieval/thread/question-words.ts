import { type KeywordAnswer, termsOfText } from '../../search/index.ts';

/** The words of a question, each with how much it says: rare ones more. */
export class QuestionWords {
  readonly #weights: ReadonlyMap<string, number>;
  readonly #whole: number;

  /** `words` as the keyword ranking counted them, of so many chunks; null where nothing was counted, and all say the same. */
  constructor(question: string, words: KeywordAnswer['words'] | null, chunks: number) {
    this.#weights = new Map(
      words === null
        ? termsOfText(question).map((word) => [word, 1])
        : words.map(({ word, chunks: having }) => [word, rarity(having, chunks)]),
    );
    this.#whole = [...this.#weights.values()].reduce((sum, weight) => sum + weight, 0);
  }

  /** Share of the question that is said by these words. */
  coverage(text: string): number {
    if (this.#whole === 0) return 0;
    let sum = 0;
    for (const word of new Set(termsOfText(text))) sum += this.#weights.get(word) ?? 0;
    return sum / this.#whole;
  }

  /** Share of the words of a text that stand in the question. */
  focus(text: string): number {
    const words = new Set(termsOfText(text));
    let found = 0;
    for (const word of words) if (this.#weights.has(word)) found++;
    return words.size === 0 ? 0 : found / words.size;
  }

  /** Words of the question that a text has, one spelling each as it stands there, those that say most first. */
  foundIn(text: string, most: number): string[] {
    const spellings = new Map<string, string>();
    for (const [token] of text.matchAll(/[\w\u0080-\uffff]+/g)) {
      for (const word of termsOfText(token)) {
        if (this.#weights.has(word) && !spellings.has(word)) spellings.set(word, token);
      }
    }
    const ordered = [...spellings].sort(([a], [b]) => this.#weights.get(b)! - this.#weights.get(a)!);
    return [...new Set(ordered.map(([, token]) => token.slice(0, SPELLING_MAX)))].slice(0, most);
  }
}

const SPELLING_MAX = 60;

function rarity(having: number, chunks: number): number {
  return Math.log(1 + (chunks - having + 0.5) / (having + 0.5));
}

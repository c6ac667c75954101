import { type KeywordAnswer, termsOfText } from '../../search/index.ts';

/** The words of a question, each with how much it says: rare ones more. */
export class QuestionWords {
  readonly #weights: ReadonlyMap<string, number>;
  readonly #whole: number;
  /** By token: its words that stand in the question. */
  readonly #tokens = new Map<string, readonly string[]>();

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
    return this.#whole === 0 ? 0 : this.coverageOf(this.wordsIn(text));
  }

  /** The same of words of the question. */
  coverageOf(words: ReadonlySet<string>): number {
    if (this.#whole === 0) return 0;
    let sum = 0;
    for (const word of words) sum += this.#weights.get(word)!;
    return sum / this.#whole;
  }

  /** Words of the question that a text has. */
  wordsIn(text: string): Set<string> {
    const found = new Set<string>();
    for (const token of tokensOf(text)) for (const word of this.#wordsOf(token)) found.add(word);
    return found;
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
    for (const token of tokensOf(text)) {
      for (const word of this.#wordsOf(token)) if (!spellings.has(word)) spellings.set(word, token);
    }
    const ordered = [...spellings].sort(([a], [b]) => this.#weights.get(b)! - this.#weights.get(a)!);
    return [...new Set(ordered.map(([, token]) => token.slice(0, SPELLING_MAX)))].slice(0, most);
  }

  /** The same tokens stand in text after text, and few of them have a word of the question. */
  #wordsOf(token: string): readonly string[] {
    let words = this.#tokens.get(token);
    if (words === undefined) {
      const found = termsOfText(token).filter((word) => this.#weights.has(word));
      words = found.length === 0 ? none : found;
      this.#tokens.set(token, words);
    }
    return words;
  }
}

const none: readonly string[] = [];

function tokensOf(text: string): readonly string[] {
  return text.match(/[\w\u0080-\uffff]+/g) ?? none;
}

const SPELLING_MAX = 60;

function rarity(having: number, chunks: number): number {
  return Math.log(1 + (chunks - having + 0.5) / (having + 0.5));
}

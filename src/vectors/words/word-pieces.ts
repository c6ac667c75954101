/** What is remembered of words, by tokenizer: text repeats itself. */
const WORDS_KEPT_MAX = 200_000;
/** A longer word is unknown, as BERT has it. */
const WORD_LENGTH_MAX = 100;
const ascii = /^[\x00-\x7f]*$/;
const asciiParts = /[a-z0-9]+|[!-/:-@[-`{-~]/g;
const unicodeParts = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}\p{M}])+|[^\s\p{L}\p{N}\p{M}\p{Cc}]/gu;

/** Pieces of lower-cased text by a vocabulary of BERT's kind: the longest piece first, each by its number. */
export interface WordPieces {
  /** Between the marks for beginning and end, at most `piecesMax` with them. */
  encode(text: string, piecesMax: number): number[];
  /** Of one word in lower case; empty when the vocabulary cannot spell it. The array is shared: leave it as it is. */
  piecesOf(word: string): readonly number[];
  readonly unknown: number;
  readonly padding: number;
}

export function createWordPieces(vocabulary: ReadonlyMap<string, number>): WordPieces {
  const unknown = vocabulary.get('[UNK]') ?? 0;
  const padding = vocabulary.get('[PAD]') ?? 0;
  const begin = vocabulary.get('[CLS]') ?? unknown;
  const end = vocabulary.get('[SEP]') ?? unknown;
  const known = new Map<string, readonly number[]>();

  return { encode, piecesOf, unknown, padding };

  function encode(text: string, piecesMax: number): number[] {
    const lower = plainLower(text);
    const pieces = [begin];
    for (const [word] of lower.matchAll(ascii.test(lower) ? asciiParts : unicodeParts)) {
      const found = piecesOf(word);
      if (found.length === 0) pieces.push(unknown);
      else for (const piece of found) pieces.push(piece);
      if (pieces.length >= piecesMax - 1) break;
    }
    pieces.length = Math.min(pieces.length, piecesMax - 1);
    pieces.push(end);
    return pieces;
  }

  function piecesOf(word: string): readonly number[] {
    let pieces = known.get(word);
    if (pieces !== undefined) return pieces;
    pieces = spell(word);
    if (known.size < WORDS_KEPT_MAX) known.set(word, pieces);
    return pieces;
  }

  function spell(word: string): number[] {
    if (word.length > WORD_LENGTH_MAX) return [];
    const pieces: number[] = [];
    for (let from = 0; from < word.length; ) {
      let to = word.length;
      let piece: number | undefined;
      for (; to > from; to--) {
        piece = vocabulary.get((from === 0 ? '' : '##') + word.slice(from, to));
        if (piece !== undefined) break;
      }
      if (piece === undefined) return [];
      pieces.push(piece);
      from = to;
    }
    return pieces;
  }
}

/** Lower case without accents. */
export function plainLower(text: string): string {
  const lower = text.toLowerCase();
  return ascii.test(lower) ? lower : lower.normalize('NFD').replace(/\p{Mn}/gu, '');
}

/**
 * Words of texts and of questions, by one rule: a run of letters, digits and underscores is taken apart where its writer did
 * (`parseHTTPHeader_v2`: parse, http, header, v2), lower-cased, lightly stemmed and left out where it says nothing. Words of scripts
 * that put no spaces between them are told apart by pairs of characters.
 */
const stopWords: ReadonlySet<string> = new Set(
  (
    'a an the of to in for is and or if be by on with as this that it its are was were been being am at from into not no do does did so ' +
    'than then there these those they them their we our you your he she his her i me my can could will would should may might has ' +
    'have had which who whom whose what when where why how but also such only any each other some more most very'
  ).split(' '),
);

/** A longer run of letters and digits is data. */
export const TOKEN_BYTES_MAX = 80;
const NUMBER_LENGTH_MAX = 5;
/** A run that goes so often from letters to digits and back is a hash or a key. */
const TURNS_MAX = 4;
const COMPOUND_LENGTH_MAX = 5;

const asciiOnly = /^[\x00-\x7f]*$/;
const caseParts = /[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+(?:[0-9]+(?:[a-z]+)?)*|[0-9]+[a-z]*/g;
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]+/gu;
const letters = /[\p{L}\p{N}_]+/gu;
const caseTurn = /(\p{Ll})(\p{Lu})/gu;

/** The terms of one run, in their order; a term may come more than once. */
export function termsOfToken(token: string): string[] {
  const terms: string[] = [];
  if (asciiOnly.test(token)) addAscii(token, terms);
  else addOther(token, terms);
  return terms;
}

/** The terms of a text, in their order. */
export function termsOfText(text: string): string[] {
  return [...text.matchAll(/[\w\u0080-\uffff]+/g)].flatMap(([token]) => termsOfToken(token));
}

function addAscii(token: string, terms: string[]): void {
  if (token.length > TOKEN_BYTES_MAX || isData(token)) return;
  for (const [part] of token.matchAll(caseParts)) {
    const lower = part.toLowerCase();
    if (/[0-9]/.test(lower)) addWithDigits(lower, terms);
    else addWord(lower, terms);
  }
}

function isData(token: string): boolean {
  if (/^0[xX][0-9a-fA-F]/.test(token)) return true;
  if (token.length < 12) return false;
  const turns = token.match(/[a-zA-Z][0-9]|[0-9][a-zA-Z]/g)?.length ?? 0;
  return turns > TURNS_MAX;
}

function addWithDigits(part: string, terms: string[]): void {
  if (/^[0-9]+$/.test(part)) {
    if (part.length > 1 && part.length <= NUMBER_LENGTH_MAX) terms.push(part);
    return;
  }
  const isCompound = part.length <= COMPOUND_LENGTH_MAX || /^[a-z]+[0-9]+$/.test(part);
  if (isCompound && part.length <= 16) terms.push(part);
  for (const [run] of part.matchAll(/[a-z]{2,}|[0-9]{2,}/g)) {
    if (run < 'a') {
      if (!isCompound && run.length <= NUMBER_LENGTH_MAX) terms.push(run);
    } else addWord(run, terms);
  }
}

function addWord(word: string, terms: string[]): void {
  if (word.length < 2 || stopWords.has(word)) return;
  terms.push(asciiOnly.test(word) ? stem(word) : word);
}

function addOther(token: string, terms: string[]): void {
  const plain = token
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .normalize('NFC');
  const spaced = plain.replace(unspaced, (run) => {
    addPairs(run, terms);
    return ' ';
  });
  for (const [run] of spaced.matchAll(letters)) {
    if (asciiOnly.test(run)) addAscii(run, terms);
    else
      for (const word of run.replace(caseTurn, '$1 $2').toLowerCase().split(' '))
        addWord(word.slice(0, 24), terms);
  }
}

function addPairs(run: string, terms: string[]): void {
  const characters = [...run];
  if (characters.length === 1) terms.push(run);
  for (let at = 0; at + 1 < characters.length; at++) terms.push(characters[at]! + characters[at + 1]!);
}

const endings: readonly (readonly [string, string])[] = [
  ['ies', 'y'],
  ['sses', 'ss'],
  ['ing', ''],
  ['ed', ''],
  ['es', ''],
  ['s', ''],
];

/** Takes plurals and forms of verbs off. What is left need not be a word. */
export function stem(word: string): string {
  if (word.length <= 3) return word;
  let stemmed = word;
  if (!word.endsWith('ss')) {
    for (const [ending, by] of endings) {
      if (!word.endsWith(ending) || word.length - ending.length < 3) continue;
      stemmed = word.slice(0, word.length - ending.length) + by;
      const isForm = ending === 'ing' || ending === 'ed';
      if (isForm && stemmed.length > 3 && /([^lsz])\1$/.test(stemmed)) stemmed = stemmed.slice(0, -1);
      break;
    }
  }
  return stemmed.endsWith('e') && stemmed.length > 3 ? stemmed.slice(0, -1) : stemmed;
}

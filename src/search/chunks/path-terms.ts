import type { Manifest } from '../manifests/manifest.ts';
import { termsOfToken } from './words.ts';

/** Words of the paths of a manifest. */
export interface PathTerms {
  /** By word: twice each row that has it, ascending, plus 1 where it stands in the file's name. */
  readonly places: ReadonlyMap<string, Uint32Array>;
  /** By row. */
  readonly lengths: Uint8Array;
  readonly words: number;
}

const betweenWords = /[^\w\u0080-\uffff]+/;
const none = new Uint32Array(0);
const known = new WeakMap<Manifest, PathTerms>();

/** Found once for each manifest that is open: it never changes. */
export function pathTermsOf(manifest: Manifest): PathTerms {
  let terms = known.get(manifest);
  if (terms === undefined) {
    terms = readPathTerms(manifest);
    known.set(manifest, terms);
  }
  return terms;
}

function readPathTerms(manifest: Manifest): PathTerms {
  const places = new Map<string, number[]>();
  const lengths = new Uint8Array(manifest.rows);
  let words = 0;
  let folder = '';
  let folderTerms: ReadonlySet<string> = new Set();
  const termsOf = rememberingTerms();
  for (let row = 0; row < manifest.rows; row++) {
    const path = manifest.path(row);
    const slash = path.lastIndexOf('/') + 1;
    if (path.slice(0, slash) !== folder) {
      folder = path.slice(0, slash);
      folderTerms = termsOf(folder);
    }
    const dot = path.lastIndexOf('.');
    const own = termsOf(path.slice(slash, dot > slash ? dot : path.length));
    for (const term of own) add(term, 2 * row + 1);
    let length = own.size;
    for (const term of folderTerms) {
      if (own.has(term)) continue;
      add(term, 2 * row);
      length++;
    }
    lengths[row] = Math.min(length, 255);
    words += lengths[row]!;
  }
  return {
    places: new Map([...places].map(([term, rows]) => [term, Uint32Array.from(rows)])),
    lengths,
    words,
  };

  function add(term: string, place: number): void {
    const rows = places.get(term);
    if (rows) rows.push(place);
    else places.set(term, [place]);
  }
}

/** The same words make up thousands of paths: what they are is found once. */
function rememberingTerms(): (text: string) => Set<string> {
  const remembered = new Map<string, readonly string[]>();
  return (text) => {
    const terms = new Set<string>();
    for (const token of text.split(betweenWords)) {
      let own = remembered.get(token);
      if (own === undefined) {
        own = termsOfToken(token);
        remembered.set(token, own);
      }
      for (const term of own) terms.add(term);
    }
    return terms;
  };
}

export function placesOf({ places }: PathTerms, term: string): Uint32Array {
  return places.get(term) ?? none;
}

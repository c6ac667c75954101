import { FactsReader, openFacts } from '../search/index.ts';

/** Of a segment; where it defines more names, every second, fourth and so on is counted. */
const NAMES_MAX = 200_000;
/** What is defined in more texts is a name that everybody gives to something: nobody knows whose uses they are. */
const TEXTS_MAX = 3;
const pageBytes = 2 << 20;

/**
 * How much each text of a segment is used by the others: for every name that it defines, the texts of the segment that use it. Counted
 * in the dictionary of its facts, without reading the facts of any text.
 */
export function textUses(factsFile: string, namesMax = NAMES_MAX): Uint32Array {
  const facts = openFacts(factsFile);
  try {
    const reader = new FactsReader({ pageBytes });
    const found = new Uint32Array(facts.blobs);
    for (const name of someNames(namesMax, (visit) => {
      reader.namesWithPrefix(facts, '', { limit: 1, accepts: visit });
    })) {
      const listed = reader.lookup(facts, name);
      if (listed === null || listed.uses === 0 || listed.definitions > TEXTS_MAX) continue;
      for (const blob of new Set(reader.definitionsOf(facts, listed).blobs)) found[blob]! += listed.uses;
    }
    return found;
  } finally {
    facts.close();
  }
}

/** Evenly over all of them, in their order. `each` is given what takes a name and wants nothing else of it. */
function someNames(most: number, each: (visit: (name: string) => false) => void): string[] {
  let names: string[] = [];
  let stride = 1;
  let seen = 0;
  each((name) => {
    if (seen++ % stride === 0) names.push(name);
    if (names.length > most) {
      names = names.filter((_, at) => at % 2 === 0);
      stride *= 2;
    }
    return false;
  });
  return names;
}

/**
 * Whether a text tells a change that is to be made, as tickets and subjects of commits do ("Add a retry to the upload"), and does not
 * ask for one place: then whole files matter, and several of them. In doubt it asks for a place.
 */
export function readsAsChange(text: string): boolean {
  const said = text
    .trim()
    .toLowerCase()
    .replace(/’/g, "'")
    // What it is about, before what is to be done: `http: keep the connection`.
    .replace(/^[\w./*`-]+(?:, ?[\w./*`-]+)*:\s+/, '');
  const words = said.match(/[a-z]+(?:'[a-z]+)?/g) ?? [];
  const [first = '', second = ''] = words[0] === 'please' ? words.slice(1) : words;
  if (words.length < WORDS_LEAST || said.endsWith('?') || asking.has(first)) return false;
  if (first === "don't" || (first === 'do' && second === 'not')) return true;
  return (
    verbs.has(softening.has(first) ? second : first) || /\b(?:fix(?:e[sd])?|bug|regression)\b/.test(said)
  );
}

/** Fewer are a name or a topic. */
const WORDS_LEAST = 3;

const asking: ReadonlySet<string> = new Set(
  'how where what which when why who whose is are does can could should has have did was were'.split(' '),
);

const softening: ReadonlySet<string> = new Set('also always better correctly never properly'.split(' '));

/** What is done to code and hardly said of it: comments begin with "returns", "checks" and "creates", and with "get" and "parse". */
const verbs: ReadonlySet<string> = new Set(
  (
    'add added adding adjust align allow allows apply avoid bring bump change changed clarify clean cleanup correct cover decouple ' +
    'deduplicate delete deprecate disable disallow discard document drop emit enable enforce ensure exclude expose extend extract fail ' +
    'faster fix fixed fixing force guard handle harden hide honor honour ignore implement improve improved include increase inline ' +
    'introduce keep limit lower make mark migrate modernize move omit optimize override pass pin polish prefer preserve prevent print ' +
    'propagate provide reduce refactor refactored reject relax remove removed removing rename reorganize replace replaced replacing ' +
    'report require respect restore restrict revert rework rewrite separate set show simplify skip speed split stop store strip support ' +
    'suppress swap switch tidy tighten treat tweak unify update updated upgrade use validate warn wider'
  ).split(' '),
);

/**
 * Whether a text tells a change that is to be made, as tickets and subjects of commits do ("Add a retry to the upload"), and does not
 * ask for one place: then whole files matter, and several of them. In doubt it asks for a place.
 */
export function readsAsChange(text: string): boolean {
  const whole = text
    .trim()
    .toLowerCase()
    .replace(/\u2019/g, "'");
  // What it is about, before what is to be done: `http: keep the connection`.
  const said = whole.replace(/^[\w./*`-]+(?:, ?[\w./*`-]+)*:\s+/, '');
  const words = said.match(/[a-z]+(?:['-][a-z]+)*/g) ?? [];
  const [first = '', second = ''] = words[0] === 'please' ? words.slice(1) : words;
  if (words.length < WORDS_LEAST || said.endsWith('?') || asking.has(first)) return false;
  if (said !== whole || first === "don't" || (first === 'do' && second === 'not')) return true;
  return (
    verbs.has(softening.has(first) ? second : first) || /\b(?:fix(?:e[sd])?|bug|regression)\b/.test(said)
  );
}

/** Fewer are a name or a topic. */
const WORDS_LEAST = 3;

const asking: ReadonlySet<string> = new Set(
  'how where what which when why who whose is are does can could should has have did was were'.split(' '),
);

const softening: ReadonlySet<string> = new Set('also always better correctly never only properly'.split(' '));

/** What is done to code and hardly said of it: comments begin with "returns", "checks" and "creates", and with "get" and "parse". */
const verbs: ReadonlySet<string> = new Set(
  (
    'account adapt add added adding address adjust adopt align allow allows avoid await benchmark bring broaden bump bypass change ' +
    'changed clarify clean cleanup complete correct cover cut decouple dedupe deduplicate default defer delete deprecate disable ' +
    'disallow discard document drop emit enable enforce ensure exclude expose extend extract fail faster fix fixed fixing fold forbid ' +
    'force give guard handle harden hide honor honour ignore implement improve improved include increase inline introduce isolate keep ' +
    'let limit lower make mark migrate modernize move narrow offer omit optimize override pass permit pin plumb polish port prefer ' +
    'preserve prevent print promote propagate provide publish re-enable rebuild recycle redirect reduce refactor refactored reintroduce ' +
    'reject relax relocate remove removed removing rename reorder reorganize rephrase replace replaced replacing report require reserve ' +
    'respect restore restrict retire retry reuse revert reword rework rewrite sanitize scope separate share shorten show shrink silence ' +
    'simplify skip speed split stabilize standardize stop store streamline strip support suppress surface swap switch sync synchronize ' +
    'teach tidy tighten treat tune tweak unblock undo unify update updated upgrade use validate warn wider wire'
  ).split(' '),
);

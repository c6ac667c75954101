import { type GraphRelation, graphRelations } from '../../symbols/index.ts';
import { relationWords } from './relation-words.ts';

/** Without what stands around a name where it is written: quotes, a keyword in front, parameters and arguments behind. */
export function bareName(written: string): string {
  const named = written
    .trim()
    .replace(/^[`'"]+|[`'"]+$/g, '')
    .replace(/^(?:class|function|func|fun|fn|def|interface|struct|enum|type|trait|method)\s+(?=\S)/, '');
  return withoutSigns(named)
    .replace(/\s*\([^/]*\)$/, '')
    .replace(/<[^<>]*>$/, '')
    .trim();
}

/** `(c *Command) Find` is `Command.Find`, `*Command` and `&Command` are `Command`, `@click.command` is `click.command`. */
function withoutSigns(name: string): string {
  const receiver =
    /^\(\s*(?:[\p{L}_][\p{L}\p{N}_]*\s+)?[*&]?\s*([\p{L}_][\p{L}\p{N}_.]*)(?:\[[^\]]*\])?\s*\)[\s.]*(?=\S)/u.exec(
      name,
    );
  if (receiver) return `${receiver[1]}.${name.slice(receiver[0].length)}`;
  // A package may be scoped, and a repository may stand in front.
  return /^@[^/\s@]+$/.test(name) ? name.slice(1) : name.replace(/^[*&]+(?=\S)/, '');
}

const ASKING_WORDS_MAX = 4;

/** `callers of Command.Find`, `who calls Command.Find`: the relation within the name; null where there is none. */
export function relationInName(written: string): { relation: GraphRelation; name: string } | null {
  const words = written.trim().split(/\s+/);
  for (let count = Math.min(ASKING_WORDS_MAX, words.length - 1); count > 0; count--) {
    const phrase = words.slice(0, count).join('_').toLowerCase();
    const asked = /^(?:(?:find|show|list|get|all|the)_)*(.+?)(?:_(?:of|to|for))$/.exec(phrase)?.[1];
    const wanted = asked ?? (/^(?:who|where)_/.test(phrase) ? phrase : null);
    const relation = wanted === null ? null : relationNamed(wanted);
    if (relation !== null) return { relation, name: words.slice(count).join(' ') };
  }
  const [first = '', ...rest] = words;
  const plain = graphRelations.find((one) => one === first.toLowerCase());
  return plain && rest.length > 0 ? { relation: plain, name: rest.join(' ') } : null;
}

function relationNamed(word: string): GraphRelation | null {
  const known = graphRelations.find((one) => one === word) ?? relationWords[word];
  return graphRelations.find((one) => one === known) ?? null;
}

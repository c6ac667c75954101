import type { ExactReading, ExactSearch } from '../../retrieval/index.ts';
import { namesOf } from '../addressing/repository-names.ts';
import { callSaid } from '../call-said.ts';
import type { CodeFindings, CodeQuery, PreparedSearch } from '../codesearch/code-finder.ts';
import { searchResult } from '../codesearch/search-answer.ts';
import { firstPage } from '../codesearch/search-page.ts';
import type { OperationContext, OperationResult } from '../types.ts';
import type { MeaningQuery } from './asked-meaning.ts';

type Context = OperationContext<unknown>;

const LINES_PER_FILE = 8;

/** What codesearch finds of a question that looks like no question; null when that stands nowhere. */
export async function exactInstead(
  asked: MeaningQuery,
  reading: ExactReading,
  context: Context,
): Promise<OperationResult | null> {
  for (const search of reading.searches) {
    const query = codeQuery(asked, search);
    const prepared = await context.code.prepare(query, context.visible, context);
    const findings = await context.code.search(prepared, context);
    if (findings.filesFound > 0) return resultOf(prepared, findings, { reading, search }, context);
  }
  return null;
}

function codeQuery(asked: MeaningQuery, { text, file }: ExactSearch): CodeQuery {
  return {
    query: text ?? '',
    mode: 'literal',
    case: 'auto',
    repo: asked.repo,
    // Where the question names a file, that is the one that is wanted.
    file: file === null ? asked.file : [file, ...asked.file.filter((glob) => /^[!-]/.test(glob))],
    lang: asked.lang,
    revision: asked.revision,
    output: text === null ? 'files' : null,
    filesMax: asked.limit,
    linesPerFileMax: LINES_PER_FILE,
    contextLines: 2,
    exact: false,
    after: null,
    budgetMs: null,
  };
}

function resultOf(
  prepared: PreparedSearch,
  findings: CodeFindings,
  { reading, search }: { reading: ExactReading; search: ExactSearch },
  context: Context,
): OperationResult {
  const names = namesOf(context.visible);
  const nameOf = (id: number) => {
    const repository = findings.repositories.get(id);
    return repository ? names.shortest(repository) : '';
  };
  const found = searchResult(prepared, findings, firstPage, {
    nameOf,
    permalink: context.permalink,
    state: context.code.stateOf(prepared),
    budgetMs: context.limits.searchTimeMs,
    isEmpty: context.code.isEmpty,
  });
  const [best] = findings.answer.files;
  const call = callSaid({
    ...(search.text === null ? {} : { query: search.text, mode: 'literal' }),
    ...(search.file === null ? {} : { file: [search.file] }),
  });
  const at = search.line ?? best?.blocks[0]?.find(({ matched }) => matched)?.number ?? 1;
  const next = best
    ? `Next: read_file ${callSaid({ repo: nameOf(best.repositoryId), path: best.path, offset: Math.max(1, at - 10) })}`
    : '';
  return {
    ...found,
    head: (shown) => [typeof found.head === 'string' ? found.head : found.head(shown), next].join('\n'),
    facts: { ...found.facts, answeredBy: 'codesearch' },
    // codesearch pages on in its own answers.
    more: false,
    goOn: `More of it: codesearch with ${call}.`,
    notes: [
      `The question looks like ${reading.looks}, so codesearch answered: the same as codesearch with ${call}.${partSaid(reading, search)} Ask in a sentence to search by meaning.`,
      ...found.notes,
    ],
  };
}

/** What of a pasted stack trace was looked for, and what became of the rest. */
function partSaid({ frames, searches }: ExactReading, { of }: ExactSearch): string {
  if (frames === 0) return '';
  const hasMessage = searches.some((search) => search.of === 'message');
  if (of === 'message') {
    const rest = frames === 1 ? 'its frame was' : `its ${frames} frames were`;
    return ` That is its message; ${rest} left aside.`;
  }
  const message = hasMessage ? ' Its message stands nowhere just so.' : '';
  const inner = of === 'outer frame' ? ' The innermost frame is of no file here.' : '';
  const rest =
    frames === 1 ? '' : `; ${frames === 2 ? 'the other one was' : `the other ${frames - 1} were`} left aside`;
  return `${message}${inner} That is ${of === 'outer frame' ? 'a frame around it' : 'its innermost frame'}${rest}.`;
}

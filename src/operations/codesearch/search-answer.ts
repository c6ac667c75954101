import type { Repository } from '../../catalog/index.ts';
import type { SearchAnswer } from '../../search/index.ts';
import type { OperationContext, OperationResult, Row } from '../types.ts';
import type { CodeFindings, PreparedSearch } from './code-finder.ts';
import { placeCount } from './file-places.ts';
import { fileRows } from './file-rows.ts';
import { indexGapNotes } from './index-gaps.ts';
import { filesLeft, listsRepositories, positionOf, type SearchPage } from './search-page.ts';
import { noDigest, type SearchState } from './search-scopes.ts';
import { countSaid, countsSaid, facetLines, gapNotes, searchedSaid } from './search-words.ts';

export interface AnswerFacts {
  nameOf(repositoryId: number): string;
  permalink: OperationContext<unknown>['permalink'];
  /** What was looked into, for cursors. */
  state: SearchState;
  budgetMs: number;
  /** A repository without commits has nothing that could be indexed. */
  isEmpty(repositoryId: number): boolean;
}

/** One page of findings as rows, with what was searched and what was not. */
export function searchResult(
  prepared: PreparedSearch,
  findings: CodeFindings,
  page: SearchPage,
  facts: AnswerFacts,
): OperationResult {
  const answer = withoutEmpty(findings.answer, facts);
  const lists = listsRepositories(prepared);
  const counted = answer.repositories;
  const isFirst = page.after === null && page.skip === 0;
  const { nameOf, budgetMs } = facts;
  const state = stateOfAnswer(facts.state, answer);
  const counts = lists
    ? `${countSaid({ count: counted.length, exact: answer.fileCount.exact }, 'repository', 'repositories')}, ${countsSaid(answer)}${contentsSaid(findings)}`
    : countsSaid(answer) + (isFirst ? placesSaid(findings) : '');
  const wanted = prepared.parsed.count;
  const isEnough = typeof wanted === 'number' && wanted <= prepared.asked.filesMax;
  const next = isEnough ? null : answer.next;
  const rows = lists
    ? repositoryRows(counted, page, { ...facts, state })
    : pageRows(prepared, { ...findings, answer: { ...answer, next } }, page, { ...facts, state });
  return {
    head: (shown) =>
      [
        `${counts} for ${prepared.reading} (${searchedSaid(answer)})`,
        ...(!lists && (answer.fileCount.count > shown || !answer.fileCount.exact)
          ? facetLines(answer, nameOf)
          : []),
      ].join('\n'),
    facts: structuredFacts(prepared, { ...findings, answer }, nameOf),
    rowsName: lists ? 'repositories' : 'files',
    rows,
    more: !lists && next !== null && rows.length > 0,
    ...(answer.fileCount.exact && isFirst && !lists && !isEnough ? { total: answer.fileCount.count } : {}),
    notes: [
      ...prepared.notes,
      ...findings.notes,
      ...indexGapNotes(findings.gaps, { nameOf, isLacking: answer.searched.unindexed.length > 0 }),
      ...gapNotes(answer, { nameOf, exactAsked: prepared.asked.exact, budgetMs }),
    ],
    empty: 'There is nothing more.',
    state: `${facts.state.repositories} ${facts.state.indexed}`,
    repositories: namedIn(answer, findings.repositories),
  };
}

/** The index may have gone on since it was looked at: a cursor leads on in what the answer was made from. */
function stateOfAnswer(state: SearchState, { generation }: SearchAnswer): SearchState {
  return state.generation === generation ? state : { ...state, indexed: noDigest, generation };
}

function withoutEmpty(answer: SearchAnswer, { isEmpty }: AnswerFacts): SearchAnswer {
  const { searched } = answer;
  return { ...answer, searched: { ...searched, unindexed: searched.unindexed.filter((id) => !isEmpty(id)) } };
}

function pageRows(
  prepared: PreparedSearch,
  findings: CodeFindings,
  page: SearchPage,
  { nameOf, permalink, state }: AnswerFacts,
): Row[] {
  const left = filesLeft(findings, page);
  return fileRows(
    left.map(({ file }) => file),
    {
      nameOf,
      repositoryOf: (id) => findings.repositories.get(id) ?? null,
      permalink,
      positionOf: (at) => positionOf(left[at]!.next, state),
      namesAlone: prepared.output === 'files',
    },
  );
}

/** `(3 files without copies)` behind a count of places. */
function contentsSaid({ answer, contents }: CodeFindings): string {
  if (!contents || contents.count >= answer.fileCount.count) return '';
  return ` (${countSaid(contents, 'file')} without copies)`;
}

/** `at 5 places` behind a count without copies, where the answer holds all of them. */
function placesSaid({ answer, filesFound }: CodeFindings): string {
  const { files, fileCount, next } = answer;
  if (next !== null || files.length < filesFound) return '';
  const places = files.reduce((sum, file) => sum + placeCount(file), 0);
  return places > fileCount.count ? ` at ${places} places` : '';
}

function repositoryRows(
  counted: SearchAnswer['repositories'],
  page: SearchPage,
  { nameOf, state }: AnswerFacts,
): Row[] {
  const rows = counted.map(({ repositoryId, files, lines }, index): Row => {
    const said = [countSaid({ count: files, exact: true }, 'file')];
    if (lines > 0) said.push(countSaid({ count: lines, exact: true }, 'line'));
    return {
      text: `${nameOf(repositoryId)}  ${said.join(', ')}`,
      value: { repository: nameOf(repositoryId), files, lines },
      position: positionOf({ ...page, skip: index + 1 }, state),
      place: `repository:${repositoryId}`,
    };
  });
  return rows.slice(page.skip);
}

function namedIn(
  { files, repositories: counted }: SearchAnswer,
  repositories: ReadonlyMap<number, Repository>,
): Repository[] {
  const told = [...files, ...files.flatMap(({ also }) => also), ...counted];
  const ids = new Set(told.map(({ repositoryId }) => repositoryId));
  return [...ids].flatMap((id) => repositories.get(id) ?? []);
}

function structuredFacts(
  prepared: PreparedSearch,
  { answer, contents }: CodeFindings,
  nameOf: (id: number) => string,
) {
  const { facets, searched, fileCount, lineCount, stopped } = answer;
  const named = <T extends { repositoryId: number }>({ repositoryId, ...rest }: T) => ({
    repository: nameOf(repositoryId),
    ...rest,
  });
  return {
    reading: prepared.reading,
    output: prepared.output,
    fileCount,
    lineCount,
    ...(contents ? { contentCount: contents } : {}),
    facets: {
      repositories: facets.repositories.map(named),
      languages: facets.languages,
      folders: facets.folders.map(named),
    },
    searched: { ...searched, unindexed: searched.unindexed.map(nameOf) },
    stopped,
  };
}

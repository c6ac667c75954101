import type { ListedTrace } from '../operations/index.ts';

/** A kept search for eyes: when, who, what, and the places, those that were used marked. */
export function traceLines(trace: ListedTrace): string {
  const { atMs, account, question, narrowedTo, repositories, citations } = trace;
  const nameOf = (id: number) => repositories[id] ?? `repository ${id}, which is gone`;
  const within = narrowedTo === null ? '' : `  in ${narrowedTo.map(nameOf).join(', ')}`;
  const places = citations.map(({ repositoryId, path, lines, score, usedBy }) => {
    const used = usedBy.length === 0 ? '' : `  ${usedBy.join(', ')}`;
    return `  ${usedBy.length === 0 ? ' ' : '*'} ${score.toFixed(3)}  ${nameOf(repositoryId)}:${path}#L${lines.start}-L${lines.end}${used}\n`;
  });
  return `${new Date(atMs).toISOString()}  ${account}  ${JSON.stringify(question)}${within}\n${places.join('')}`;
}

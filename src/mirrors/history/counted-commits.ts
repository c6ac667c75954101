import { shownPath } from '../../base/byte-path.ts';

/**
 * Reads `git log -z --format=tformat:%H --raw` as it comes: each commit's id, then `:modes ids status NUL path NUL` for each file
 * in which the text was added or removed. Counts the commits with a file that counts, and knows when there are enough.
 */
export function createCountedCommits(counts: (path: string) => boolean, wanted: number) {
  const commits: string[] = [];
  let rest: Buffer = Buffer.alloc(0);
  let commit = '';
  let isPath = false;

  function take(field: Buffer) {
    if (isPath) {
      isPath = false;
      if (commit !== '' && counts(shownPath(field))) {
        commits.push(commit);
        commit = '';
      }
      return;
    }
    const text = field.toString('latin1').trim();
    if (text.startsWith(':')) isPath = true;
    else if (text !== '') commit = text;
  }

  return {
    commits,
    onStdout(chunk: Buffer): 'more' | 'enough' {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let from = 0;
      for (let end = rest.indexOf(0); end >= 0 && commits.length < wanted; end = rest.indexOf(0, from)) {
        take(rest.subarray(from, end));
        from = end + 1;
      }
      rest = Buffer.from(rest.subarray(from));
      return commits.length < wanted ? 'more' : 'enough';
    },
  };
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SeededRandom } from '../../src/base/testing/seeded-random.ts';
import { createGitFixture } from '../../src/mirrors/testing/git-fixture.ts';
import { oddFiles, otherFiles } from '../soak/ripgrep-oracle/odd-files.ts';
import { type RunningPeriscope, startPeriscope } from './support/running-periscope.ts';

const REPOSITORIES = 3;
const FILES = 220;
const words = ['needle', 'thread', 'Needle', 'haystack', 'func main() {', 'return nil', '}', 'import x'];

let root: string;
let periscope: RunningPeriscope;
let token: string;
beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'periscope-pages-'));
  const random = new SeededRandom(7);
  for (let repository = 0; repository < REPOSITORIES; repository++) {
    const files: Record<string, string> = {};
    for (let file = 0; file < FILES; file++) {
      const lines = Array.from(
        { length: random.below(30) },
        () => `${random.pick(words)} ${random.below(9)}\n`,
      );
      const folder = random.pick(['src', 'test', 'vendor', 'docs', 'needle']);
      // Every seventh is a copy of one in every other repository.
      const text = file % 7 === 0 ? `needle ${file}\nthread\n` : lines.join('');
      files[`${folder}/${file}.${random.pick(['go', 'ts', 'md', 'py'])}`] = text;
    }
    const fixture = createGitFixture({ folder: path.join(root, `team/r${repository}.git`), bare: true });
    fixture.commit({ ...files, ...(repository === 0 ? oddFiles : otherFiles) });
  }
  periscope = await startPeriscope({
    indexed: 'once',
    config: {
      hosts: [{ kind: 'folder', name: 'local', folders: [root] }],
      access: { rules: [{ effect: 'allow', people: ['ada'], repositories: ['**'] }] },
    },
  });
  token = (await periscope.token('ada')).token;
});
afterAll(async () => {
  await periscope.stop();
  rmSync(root, { recursive: true, force: true });
});

interface Counted {
  count: number;
  exact: boolean;
}

interface Page {
  files: {
    repository: string;
    revision: string;
    path: string;
    lineCount: number;
    lineCountExact: boolean;
    also: unknown[];
    alsoCount: number;
  }[];
  fileCount: Counted;
  lineCount: Counted;
  contentCount?: Counted;
}

describe('pages are everything once, and as many as the exact counts say', () => {
  check('a word', { query: 'needle' });
  check('a word of the text alone', { query: 'content:thread case:yes' });
  check('a path', { query: 'file:*.go' });
  check('a regex', { query: '/^(func|return)/' });
  check('several lines', { query: '/nil \\d\\nreturn/' });
  check('both', { query: 'needle haystack' });
  check('one of both', { query: 'haystack or "import x"' });
  check('the one without the other', { query: 'needle -haystack -file:*.md' });
  check('what is not there', { query: '-needle file:*.ts' });
  check('a language', { query: 'nil lang:python' });
  check('one repository', { query: 'needle repo:team/r1' });

  function check(name: string, input: Record<string, unknown>) {
    it(name, async () => {
      const asked = { ...input, context: 0 };
      const exact = await pagesOf({ ...asked, exact: true, max_tokens: 1500 });
      const { count: total } = exact.pages[0]!.fileCount;
      expect(total).toBeGreaterThan(0);
      for (const { fileCount, lineCount } of exact.pages) {
        expect(fileCount).toEqual({ count: total, exact: true });
        expect(lineCount).toEqual(exact.pages[0]!.lineCount);
      }
      expect(exact.places).toHaveLength(total);
      expect(new Set(exact.places).size).toBe(total);
      const lines = exact.pages
        .flatMap(({ files }) => files)
        .reduce((sum, { lineCount }) => sum + lineCount, 0);
      expect(exact.pages[0]!.lineCount).toEqual({ count: lines, exact: true });
      // Waves that end when there is enough, and paths alone: the same files in the end.
      for (const other of [
        { max_tokens: 2500 },
        { output: 'files', max_files: 37 },
        { output: 'files', exact: true },
      ]) {
        const { places } = await pagesOf({ ...asked, ...other });
        expect([...places].sort()).toEqual([...exact.places].sort());
      }
      const counted = await call({ ...asked, output: 'count' });
      // Copies are files of their own there.
      const files = exact.pages.flatMap((page) => page.files);
      const copies = files.reduce((sum, { alsoCount }) => sum + 1 + alsoCount, 0);
      const copiedLines = files.reduce(
        (sum, { alsoCount, lineCount }) => sum + (1 + alsoCount) * lineCount,
        0,
      );
      expect(counted.page.fileCount).toEqual({ count: copies, exact: true });
      expect(counted.page.lineCount).toEqual({ count: copiedLines, exact: true });
      expect(counted.page.contentCount).toEqual({ count: total, exact: true });
    });
  }
});

async function pagesOf(input: Record<string, unknown>): Promise<{ pages: Page[]; places: string[] }> {
  const pages: Page[] = [];
  const conversation = await periscope.conversation(token);
  let answer = await conversation.call('codesearch', input);
  for (;;) {
    pages.push(answer.result as unknown as Page);
    if (answer.cursor === null) break;
    expect(pages.length).toBeLessThan(1000);
    answer = await conversation.call('codesearch', { cursor: answer.cursor });
  }
  const places = pages.flatMap(({ files }) =>
    files.map(({ repository, revision, path: name }) => `${repository}@${revision}:${name}`),
  );
  return { pages, places };
}

async function call(input: Record<string, unknown>): Promise<{ page: Page }> {
  const conversation = await periscope.conversation(token);
  const { result } = await conversation.call('codesearch', input);
  return { page: result as unknown as Page };
}

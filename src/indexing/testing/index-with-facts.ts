import { factsWorkerFile, openTestIndexing, type TestIndexing } from './open-indexing.ts';

export interface FactsIndex extends TestIndexing {
  /** One more commit in a repository, indexed with its facts; null as a text deletes a file. */
  push(name: string, files: Readonly<Record<string, string | null>>): Promise<void>;
}

/**
 * Real repositories, by name and then path, indexed with their facts: for tests of what stands on them. Repositories are called by
 * their name without `.git` in the catalog.
 */
export async function indexWithFacts(
  repositories: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<FactsIndex> {
  const test = await openTestIndexing({ factsWorkerFile: await factsWorkerFile() });
  const indexing = test.open({ symbols: true });
  const gits = new Map(
    Object.entries(repositories).map(([name, files]) => {
      const git = test.repository(`${name}.git`);
      git.commit(files);
      return [name, git];
    }),
  );
  const index = () => indexing.indexAll({ signal: new AbortController().signal });
  await test.discover();
  await index();
  return {
    ...test,
    async push(name, files) {
      gits.get(name)!.commit(files);
      await index();
    },
  };
}

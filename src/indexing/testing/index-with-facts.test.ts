import { expect, it } from 'vitest';
import { indexWithFacts } from './index-with-facts.ts';
import { factsStrings } from './indexed-facts.ts';

it('an index for tests holds the facts of every repository, and of what is pushed', async () => {
  const index = await indexWithFacts({
    server: { 'src/a.ts': 'export class Server {}\n' },
    client: { 'src/b.ts': "import { Server } from 'server';\n" },
  });
  try {
    await index.push('client', { 'src/c.ts': 'export class Client {}\n' });
    expect([...(await factsStrings(index.indexFolder))]).toEqual(
      expect.arrayContaining(['Server', 'Client', 'server']),
    );
  } finally {
    await index.close();
  }
});

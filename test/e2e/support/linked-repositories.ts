import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGitFixture, type GitFixture } from '../../../src/mirrors/testing/git-fixture.ts';

/** Repositories that use each other: a pair in npm, a pair in Go, and one more user of both that may be left out. */
export interface LinkedRepositories {
  folder: string;
  retry: GitFixture;
  shop: GitFixture;
  remove(): void;
}

export function createLinked({ secret = true }: { secret?: boolean } = {}): LinkedRepositories {
  const folder = mkdtempSync(path.join(tmpdir(), 'periscope-linked-'));
  const repository = (name: string) => createGitFixture({ folder: path.join(folder, name), bare: true });
  const retry = repository('acme/retry.git');
  retry.commit({
    'package.json': json({ name: '@acme/retry', version: '2.1.0', main: 'src/index.ts' }),
    'src/index.ts': "export { Retrier } from './retrier.js';\nexport { waitMs } from './wait.js';\n",
    'src/retrier.ts': [
      "import { waitMs } from './wait.js';",
      '',
      '/** Tries again, a bounded number of times. */',
      'export class Retrier {',
      '  constructor(readonly limit: number) {}',
      '',
      '  /** Runs the work until it goes well. */',
      '  async run(work: () => Promise<void>): Promise<void> {',
      '    for (let turn = 0; turn < this.limit; turn++) {',
      '      await waitMs(turn);',
      '      await work();',
      '    }',
      '  }',
      '}',
      '',
    ].join('\n'),
    'src/wait.ts': 'export async function waitMs(turn: number): Promise<void> {}\n',
    'docs/notes.txt': 'The legacyRetry script is called by cron.\n',
  });
  const shop = repository('acme/shop.git');
  shop.commit({
    'package.json': json({ name: 'shop', version: '1.0.0', dependencies: { '@acme/retry': '^2.0.0' } }),
    'src/checkout.ts': [
      "import { Retrier, waitMs } from '@acme/retry';",
      '',
      'export class CheckoutRetrier extends Retrier {}',
      '',
      'export async function checkout(): Promise<void> {',
      '  const retrier = new Retrier(3);',
      '  await retrier.run(async () => {});',
      '  await waitMs(1);',
      '}',
      '',
      'export function refresh(): void {}',
      '',
    ].join('\n'),
    'src/session.ts': [
      "import { checkout } from './checkout.js';",
      '',
      'export class Session {',
      '  refresh(): void {',
      '    void checkout();',
      '  }',
      '}',
      '',
    ].join('\n'),
  });
  repository('acme/golib.git').commit({
    'go.mod': 'module example.com/acme/golib\n\ngo 1.22\n',
    'retry/retry.go':
      'package retry\n\n// Do runs the work again.\nfunc Do(work func() error) error {\n\treturn work()\n}\n',
  });
  repository('acme/gosvc.git').commit({
    'go.mod': 'module example.com/acme/gosvc\n\ngo 1.22\n\nrequire example.com/acme/golib v1.4.0\n',
    'main.go':
      'package main\n\nimport "example.com/acme/golib/retry"\n\nfunc main() {\n\tretry.Do(func() error { return nil })\n}\n',
  });
  if (secret)
    repository('acme/vault.git').commit({
      'package.json': json({ name: 'vault', version: '1.0.0', dependencies: { '@acme/retry': '^1.0.0' } }),
      'src/keys.ts': [
        "import { Retrier, waitMs } from '@acme/retry';",
        '',
        'export class VaultRetrier extends Retrier {}',
        'export class Session {}',
        'export function vaultKeys(): void {',
        '  void waitMs(2);',
        '}',
        '',
      ].join('\n'),
      'go.mod': 'module example.com/acme/vault\n\nrequire example.com/acme/golib v1.0.0\n',
      'vault.go': 'package vault\n\nimport "example.com/acme/golib/retry"\n\nfunc Open() { retry.Do(nil) }\n',
    });
  return { folder, retry, shop, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGitFixture, type GitFixture } from '../../../src/mirrors/testing/git-fixture.ts';

/** A small organisation: real repositories below one folder. */
export interface Acme {
  folder: string;
  payments: GitFixture;
  billing: GitFixture;
  secret: GitFixture | null;
  remove(): void;
}

const mainGo = 'package main\n\nfunc main() {\n\tretryLimit()\n}\n';

/** `secret` leaves the hidden repository out altogether: what it must look like to those who may not see it. */
export function createAcme({ secret = true }: { secret?: boolean } = {}): Acme {
  const folder = mkdtempSync(path.join(tmpdir(), 'periscope-acme-'));
  const repository = (name: string) => createGitFixture({ folder: path.join(folder, name), bare: true });
  const payments = repository('acme/payments.git');
  const token = Array.from(
    { length: 300 },
    (_, index) => `export const line${index + 1} = ${index + 1};`,
  ).join('\n');
  payments.commit({
    'README.md': '# Payments\n\nTakes money.\n',
    'src/auth/token.ts': `${token}\n`,
    'src/auth/Session.ts': 'export class Session {\n  retryLimit = 3;\n}\n',
    'src/main.go': mainGo,
    'config/values.yaml': 'replicas: 3\n',
    'with space/a b.txt': 'no line break at the end',
    '.github/CODEOWNERS': '* @acme/all\n/src/auth/ @acme/security\n',
  });
  payments.commit(
    { 'src/auth/Session.ts': 'export class Session {\n  retryLimit = 5;\n}\n' },
    { message: 'Raise the retry limit' },
  );
  payments.commit(
    { 'src/feature.ts': 'export const feature = true;\n' },
    { branch: 'feature/x', from: payments.git(['rev-parse', 'main']).trim() },
  );
  payments.git(['tag', 'v1.0.0', 'main~1']);
  const billing = repository('acme/billing.git');
  billing.commit({
    'src/invoice.py': 'def invoice():\n    return "retryLimit"\n',
    'README.md': '# Billing\n',
  });
  const hidden = secret ? repository('acme/vault.git') : null;
  hidden?.commit({
    'src/keys.ts': 'export const vaultKeys = ["retryLimit"];\n',
    'README.md': '# Vault\n',
    // The very content that a visible repository has too.
    'src/main.go': mainGo,
  });
  return {
    folder,
    payments,
    billing,
    secret: hidden,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

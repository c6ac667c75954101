import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from './config.ts';
import { type ConfigFault, type KeyPath, shownKey } from './config-fault.ts';
import { reasonOf } from './errors.ts';
import type { Secret } from './secret-reference.ts';

/** What the config means, as plain data: a secret shows as its reference. For `periscope config check` and for logs. */
export function printableConfig(config: Config): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(config, (_key, value: unknown) => (isSecret(value) ? value.reference : value)),
  );
}

/** Fetches every secret once and tells of those that cannot be had. Their values go nowhere. */
export async function checkSecrets(config: Config): Promise<ConfigFault[]> {
  const faults = await Promise.all(
    secretsIn(config, []).map(async ({ path, secret }): Promise<ConfigFault | null> => {
      try {
        await secret();
        return null;
      } catch (fault) {
        return {
          key: shownKey(path),
          line: null,
          message: fault instanceof Error ? fault.message : String(fault),
        };
      }
    }),
  );
  return faults.filter((fault) => fault !== null);
}

/** Tells of files and folders that search by meaning needs and that are not there. */
export async function checkFiles({ embedding, retrieval }: Config): Promise<ConfigFault[]> {
  const faults: ConfigFault[] = [];
  const fault = (key: string, message: string) => faults.push({ key, line: null, message });
  const { weightsFile } = retrieval;
  if (weightsFile !== null)
    await readFile(weightsFile).catch((cause: unknown) =>
      fault('retrieval.weightsFile', `the file ${weightsFile} cannot be read${reasonOf(cause)}`),
    );
  const { crossEncoder } = retrieval;
  if (embedding.model === 'folder' && embedding.folder !== null)
    await checkModel('embedding.folder', embedding.folder);
  if (crossEncoder?.dialect === 'local')
    await checkModel('retrieval.crossEncoder.folder', crossEncoder.folder);
  return faults;

  async function checkModel(key: string, folder: string): Promise<void> {
    if (!(await isFolder(folder))) {
      fault(key, `there is no folder ${folder}`);
      return;
    }
    for (const name of ['config.json', 'tokenizer.json'])
      await readFile(path.join(folder, name)).catch((cause: unknown) =>
        fault(key, `the file ${path.join(folder, name)} cannot be read${reasonOf(cause)}`),
      );
  }
}

async function isFolder(folder: string): Promise<boolean> {
  return stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function secretsIn(value: unknown, path: KeyPath): { path: KeyPath; secret: Secret }[] {
  if (isSecret(value)) return [{ path, secret: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) =>
    secretsIn(below, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

function isSecret(value: unknown): value is Secret {
  return typeof value === 'function' && 'reference' in value;
}

import type { Config } from './config.ts';
import { type ConfigFault, type KeyPath, shownKey } from './config-fault.ts';
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

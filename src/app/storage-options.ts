import type { Config } from '../config/index.ts';
import type { StorageOptions } from '../storage/index.ts';

/** The config names where the connection URL is; here it is fetched, and nowhere kept. */
export async function storageOptions(config: Config): Promise<StorageOptions> {
  const { storage } = config;
  if (storage.kind === 'sqlite') return storage;
  return { kind: 'postgres', url: await storage.url(), poolSizeMax: storage.poolSizeMax };
}

import { homedir } from 'node:os';
import type { Command } from 'commander';
import type { Config, ConfigOverrides } from '../config/index.ts';

/** Options that every command takes. */
export interface GlobalOptions {
  config?: string;
  data?: string;
}

export function addGlobalOptions(command: Command): Command {
  return command
    .option('--config <file>', 'periscope.yaml (default: PERISCOPE_CONFIG, else the one in the data folder)')
    .option('--data <folder>', 'data folder (default: PERISCOPE_DATA, else ~/.periscope)');
}

export async function configOf(options: GlobalOptions, overrides: ConfigOverrides = {}): Promise<Config> {
  const { loadConfig } = await import('../config/index.ts');
  return loadConfig({
    ...(options.config ? { file: options.config } : {}),
    env: process.env,
    cwd: process.cwd(),
    homeFolder: homedir(),
    overrides: { ...(options.data ? { dataFolder: options.data } : {}), ...overrides },
  });
}

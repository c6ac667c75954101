import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Config } from './config.ts';
import type { ConfigFault } from './config-fault.ts';
import { dataFolderLayout } from './data-folder.ts';
import { configFaults, configUnreadable } from './errors.ts';
import { accessConfig } from './parts/access-part.ts';
import { auditConfig } from './parts/audit-part.ts';
import { catalogConfig } from './parts/catalog-part.ts';
import { contentConfig } from './parts/content-part.ts';
import { embeddingConfig } from './parts/embedding-part.ts';
import { type HostConfig, hostsConfig } from './parts/hosts-part.ts';
import { httpConfig } from './parts/http-part.ts';
import { indexConfig } from './parts/index-part.ts';
import type { LogConfig } from './parts/log-part.ts';
import type { Meaning } from './parts/meaning.ts';
import { mirrorsConfig } from './parts/mirrors-part.ts';
import { operationsConfig } from './parts/operations-part.ts';
import { retrievalConfig } from './parts/retrieval-part.ts';
import { searchConfig } from './parts/search-part.ts';
import { storageConfig } from './parts/storage-part.ts';
import { tracesConfig } from './parts/traces-part.ts';
import { configSchema, configVersion, type Role, type WrittenConfig } from './schema.ts';
import { schemaFaults } from './schema-faults.ts';
import { secretOf } from './secret-reference.ts';
import { readYaml } from './yaml-source.ts';

export interface LoadConfigOptions {
  /** Must exist when given. Default: PERISCOPE_CONFIG, else periscope.yaml in the data folder, else no file at all. */
  file?: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Where relative paths of `file` and `overrides` start. */
  cwd: string;
  homeFolder: string;
  overrides?: ConfigOverrides;
  clock?: Clock;
}

/** What the command line says; it wins over the file. */
export interface ConfigOverrides {
  /** Served as one more host, named `local`. */
  folders?: readonly string[];
  dataFolder?: string;
  listenHost?: string;
  listenPort?: number;
  roles?: readonly Role[];
  logLevel?: LogConfig['level'];
  logFormat?: LogConfig['format'];
}

/** Name of the host that the folders of the command line become. */
export const commandLineHost = 'local';

/**
 * In two steps: what was written, then what it means. Throws one error with every fault of the file.
 *
 * The current folder is never searched for a config: an agent starts `periscope mcp` inside a repository, and that repository's
 * own periscope.yaml could run any command through `exec:`.
 */
export async function loadConfig(options: LoadConfigOptions): Promise<Config> {
  const fromCwd = (written: string) => resolvePath(written, options.cwd, options.homeFolder);
  const dataFolder = options.overrides?.dataFolder ?? options.env['PERISCOPE_DATA'];
  const named = options.file ?? options.env['PERISCOPE_CONFIG'];
  const file = named ? fromCwd(named) : dataFolderLayout(fromCwd(dataFolder || defaultDataFolder)).config;
  const text = await readConfigFile(file, { mustExist: Boolean(named) });
  const written = text === null ? configSchema.parse({ version: configVersion }) : parseConfig(text, file);
  return meaningOf(written, { ...options, file: text === null ? null : file, dataFolder });
}

const defaultDataFolder = '~/.periscope';

async function readConfigFile(file: string, { mustExist }: { mustExist: boolean }): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (fault) {
    if (!mustExist && fault instanceof Error && 'code' in fault && fault.code === 'ENOENT') return null;
    throw configUnreadable(file, fault);
  }
}

function parseConfig(text: string, file: string): WrittenConfig {
  const source = readYaml(text);
  if (source.faults.length > 0) throw configFaults(file, source.faults);
  const tooNew = newerVersion(source.value);
  if (tooNew) throw configFaults(file, [{ ...tooNew, line: source.lineOf(['version']) }]);
  if (typeof source.value !== 'object' || source.value === null || Array.isArray(source.value)) {
    throw configFaults(file, [
      { key: '', line: null, message: `must be a list of keys that begins with "version: ${configVersion}"` },
    ]);
  }
  const parsed = configSchema.safeParse(source.value);
  if (!parsed.success) throw configFaults(file, schemaFaults(parsed.error.issues, source));
  return parsed.data;
}

function newerVersion(value: unknown): ConfigFault | null {
  if (typeof value !== 'object' || value === null || !('version' in value)) return null;
  if (typeof value.version !== 'number' || value.version <= configVersion) return null;
  return {
    key: 'version',
    line: null,
    message: `is of a newer Periscope, and this one reads version ${configVersion}: install the newer one, or write the file anew as version ${configVersion}`,
  };
}

function meaningOf(
  written: WrittenConfig,
  {
    file,
    dataFolder,
    env,
    cwd,
    homeFolder,
    overrides = {},
    clock = systemClock,
  }: Omit<LoadConfigOptions, 'file'> & { file: string | null; dataFolder: string | undefined },
): Config {
  const fromCwd = (given: string) => resolvePath(given, cwd, homeFolder);
  const fromFile = (given: string) =>
    resolvePath(given, file === null ? cwd : path.dirname(file), homeFolder);
  const meaning: Meaning = {
    path: fromFile,
    secret: (reference) =>
      secretOf(reference, { env, resolvePath: fromFile, clock, execCacheMs: 300_000, execTimeoutMs: 10_000 }),
  };
  const layout = dataFolderLayout(
    written.dataFolder !== undefined && overrides.dataFolder === undefined
      ? fromFile(written.dataFolder)
      : fromCwd(dataFolder || defaultDataFolder),
  );
  const http = httpConfig(written.http);
  return {
    file,
    dataFolder: layout,
    roles: overrides.roles ?? written.roles,
    storage: storageConfig(written.storage, layout, meaning),
    hosts: withFolders(hostsConfig(written.hosts, meaning), (overrides.folders ?? []).map(fromCwd), file),
    mirrors: mirrorsConfig(written.mirrors, layout),
    catalog: catalogConfig(written.catalog),
    content: contentConfig(written.content),
    index: indexConfig(written.index, layout, meaning),
    access: accessConfig(written.access),
    http: {
      ...http,
      listen: {
        host: overrides.listenHost ?? http.listen.host,
        port: overrides.listenPort ?? http.listen.port,
      },
    },
    operations: operationsConfig(written.operations),
    search: searchConfig(written.search),
    retrieval: retrievalConfig(written.retrieval, meaning),
    embedding: embeddingConfig(written.embedding, layout, meaning),
    log: {
      level: overrides.logLevel ?? written.log.level,
      format: overrides.logFormat ?? written.log.format,
    },
    audit: auditConfig(written.audit),
    traces: tracesConfig(written.traces),
  };
}

function withFolders(hosts: HostConfig[], folders: string[], file: string | null): HostConfig[] {
  if (folders.length === 0) return hosts;
  const taken = hosts.findIndex(({ name }) => name === commandLineHost);
  if (taken !== -1) {
    throw configFaults(file ?? 'the command line', [
      {
        key: `hosts[${taken}].name`,
        line: null,
        message: `"${commandLineHost}" is the name that the folders on the command line get: rename this host, or give no folders`,
      },
    ]);
  }
  return [...hosts, { kind: 'folder', name: commandLineHost, folders, depthMax: 6 }];
}

function resolvePath(written: string, base: string, homeFolder: string): string {
  if (written === '~') return homeFolder;
  if (written.startsWith('~/')) return path.join(homeFolder, written.slice(2));
  return path.resolve(base, written);
}

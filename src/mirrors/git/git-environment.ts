import path from 'node:path';
import type { GitHome } from './git-home.ts';

export interface GitEnvironmentOptions {
  /** `https`, `ssh`, `http`; none by default, so that no read can reach a network or start a helper. */
  protocols?: readonly string[];
  /** Further config, which wins over every file. Never shows in the process list. */
  config?: readonly (readonly [key: string, value: string])[];
  /** The folder that may be owned by another user. */
  trusted?: string;
  /** Set on top, for credentials and object directories. */
  variables?: Readonly<Record<string, string>>;
}

/** The whole environment of a git process; nothing of the server's own is inherited but PATH. */
export function gitEnvironment(home: GitHome, options: GitEnvironmentOptions = {}): Record<string, string> {
  const protocols = options.protocols ?? [];
  const config = [
    ...fixedConfig,
    ...protocols.map((protocol) => [`protocol.${protocol}.allow`, 'always'] as const),
    ...(options.trusted === undefined ? [] : [['safe.directory', options.trusted] as const]),
    ...(options.config ?? []),
  ];
  const environment: Record<string, string> = {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    LC_ALL: 'C',
    HOME: home.emptyFolder,
    XDG_CONFIG_HOME: home.emptyFolder,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/false',
    SSH_ASKPASS: '/bin/false',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL:
      options.trusted === undefined ? home.plainConfig : home.configTrusting(options.trusted),
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    // An empty list would mean the default one: this name stands for no protocol at all.
    GIT_ALLOW_PROTOCOL: protocols.length === 0 ? 'none' : protocols.join(':'),
    // No repository around the folder that git runs in is looked for.
    GIT_CEILING_DIRECTORIES: path.dirname(home.emptyFolder),
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_PAGER: 'cat',
    GIT_EDITOR: '/bin/false',
    GIT_HTTP_LOW_SPEED_LIMIT: '1000',
    GIT_HTTP_LOW_SPEED_TIME: '30',
    GIT_CONFIG_COUNT: String(config.length),
  };
  config.forEach(([key, value], index) => {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return { ...environment, ...options.variables };
}

const fixedConfig: readonly (readonly [string, string])[] = [
  ['credential.helper', ''],
  ['http.followRedirects', 'false'],
  ['protocol.allow', 'never'],
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.symlinks', 'false'],
  ['core.pager', 'cat'],
  ['core.attributesFile', '/dev/null'],
  ['core.excludesFile', '/dev/null'],
  // It names packs by paths, which git follows wherever they lead.
  ['core.multiPackIndex', 'false'],
  ['core.quotePath', 'false'],
  ['log.showSignature', 'false'],
  ['safe.bareRepository', 'explicit'],
  ['transfer.fsckObjects', 'true'],
  // Faults of old tools that real histories are full of and that harm nobody.
  ['fetch.fsck.badTimezone', 'ignore'],
  ['fetch.fsck.zeroPaddedFilemode', 'ignore'],
  ['fetch.fsck.missingSpaceBeforeDate', 'ignore'],
  ['fetch.fsck.badDate', 'ignore'],
  ['fetch.fsck.badDateOverflow', 'ignore'],
  ['fetch.fsck.missingEmail', 'ignore'],
  ['fetch.fsck.missingNameBeforeEmail', 'ignore'],
  ['fetch.fsck.missingSpaceBeforeEmail', 'ignore'],
  ['fetch.fsck.badEmail', 'ignore'],
  ['fetch.fsck.badName', 'ignore'],
  ['fetch.fsck.zeroPaddedDate', 'ignore'],
  ['fetch.fsck.multipleAuthors', 'ignore'],
  ['fetch.fsck.missingTaggerEntry', 'ignore'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'no'],
];

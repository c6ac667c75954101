import { type GitEnvironmentOptions, gitEnvironment } from './git-environment.ts';
import type { GitHome, ObjectFormat } from './git-home.ts';

/** Where a repository's objects are: all that reading by object id needs. */
export interface ObjectSource {
  /** Stands for these objects in caches; another one after the mirror was made anew. */
  readonly key: string;
  readonly objectFormat: ObjectFormat;
  readonly objectDirectory: string;
  /** Where a shallow clone's history ends. */
  readonly shallowFile: string | null;
}

/**
 * Arguments and environment of a command that reads objects by id. It runs in a git directory of ours, so the repository's own
 * config, hooks, attributes and references have no say.
 */
export function objectCommand(
  home: GitHome,
  source: ObjectSource,
  options: GitEnvironmentOptions = {},
): { args: string[]; env: Record<string, string> } {
  return {
    args: [`--git-dir=${home.bareShell(source.objectFormat)}`],
    env: gitEnvironment(home, {
      ...options,
      variables: {
        GIT_OBJECT_DIRECTORY: source.objectDirectory,
        ...(source.shallowFile === null ? {} : { GIT_SHALLOW_FILE: source.shallowFile }),
        ...options.variables,
      },
    }),
  };
}

import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What git finds instead of the machine's own set-up: an empty home, a config and an askpass of ours. */
export interface GitHome {
  readonly emptyFolder: string;
  readonly askpass: string;
  /** A global config file that trusts exactly this folder, whoever owns it. */
  configTrusting(gitDir: string): string;
  /** A config file that trusts nothing. */
  readonly plainConfig: string;
  /**
   * A git directory of ours without any reference, for commands that only need objects: with GIT_OBJECT_DIRECTORY set to a
   * repository's objects they work on it without ever reading its config, so nothing that its config names can be started.
   */
  bareShell(objectFormat: ObjectFormat): string;
}

export type ObjectFormat = 'sha1' | 'sha256';

// The prompts are compared whole: git also asks on behalf of a host that it was redirected to.
const askpassScript = `#!/bin/sh
if [ "$1" = "$PERISCOPE_GIT_USERNAME_PROMPT" ]; then printf '%s\\n' "$PERISCOPE_GIT_USERNAME"; exit 0; fi
if [ "$1" = "$PERISCOPE_GIT_PASSWORD_PROMPT" ] || [ "$1" = "$PERISCOPE_GIT_PASSWORD_PROMPT_ENCODED" ]; then printf '%s\\n' "$PERISCOPE_GIT_SECRET"; exit 0; fi
exit 1
`;

export function createGitHome(folder: string): GitHome {
  const emptyFolder = path.resolve(folder, 'empty');
  const configFolder = path.join(folder, 'config');
  mkdirSync(emptyFolder, { recursive: true, mode: 0o700 });
  mkdirSync(configFolder, { recursive: true, mode: 0o700 });
  const askpass = path.join(folder, 'askpass');
  replaceFile(askpass, askpassScript);
  chmodSync(askpass, 0o700);
  const plainConfig = path.join(configFolder, 'plain');
  replaceFile(plainConfig, '');
  const written = new Map<string, string>();
  // All that reading needs is there from the start: a disk that fills up later keeps nobody from it.
  const shells = {
    sha1: bareShell(path.join(folder, 'shell-sha1.git'), 'sha1'),
    sha256: bareShell(path.join(folder, 'shell-sha256.git'), 'sha256'),
  };

  return {
    emptyFolder,
    askpass,
    plainConfig,
    configTrusting(gitDir) {
      const known = written.get(gitDir);
      if (known !== undefined) return known;
      const file = path.join(configFolder, createHash('sha256').update(gitDir).digest('hex').slice(0, 24));
      try {
        replaceFile(file, `[safe]\n\tdirectory = ${configValue(gitDir)}\n`);
      } catch {
        // On a full disk: git from 2.38 on is told the same in its environment, and a folder of our own user needs no trust.
        return plainConfig;
      }
      written.set(gitDir, file);
      return file;
    },
    bareShell: (objectFormat) => shells[objectFormat],
  };
}

function bareShell(shell: string, objectFormat: ObjectFormat): string {
  if (existsSync(path.join(shell, 'HEAD'))) return shell;
  mkdirSync(path.join(shell, 'objects'), { recursive: true });
  mkdirSync(path.join(shell, 'refs'), { recursive: true });
  const version = objectFormat === 'sha1' ? 0 : 1;
  const extension = objectFormat === 'sha1' ? '' : '[extensions]\n\tobjectFormat = sha256\n';
  replaceFile(
    path.join(shell, 'config'),
    `[core]\n\trepositoryformatversion = ${version}\n\tbare = true\n${extension}`,
  );
  // HEAD last: with it the shell is complete.
  replaceFile(path.join(shell, 'HEAD'), 'ref: refs/heads/none\n');
  return shell;
}

/** Other processes may use the same folder at this moment: a file is there whole or not at all. */
function replaceFile(file: string, content: string) {
  if (existsSync(file) && readFileSync(file, 'utf8') === content) return;
  const temporary = `${file}.${process.pid}.new`;
  writeFileSync(temporary, content, { mode: 0o600 });
  renameSync(temporary, file);
}

function configValue(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`;
}

/**
 * Mirrors: the only code that starts git. Reads any repository in place, a configured folder where it lies or a bare mirror of a
 * remote, and keeps those mirrors fresh. Knows no caller and no rule of access, decodes nothing, and writes into no folder that is
 * not its own.
 *
 * Start reading at `create-mirrors.ts`, which builds everything, then `mirror.ts`, one repository as others see it.
 * `git/` runs processes and turns what git says into errors; `objects/` reads objects by id through persistent processes; `refs/`
 * turns revisions into commits; `sources/` says where a repository's bytes come from; `history/` and `worktrees/` do the rest.
 *
 * Two rules hold everywhere: commands that need only objects run in a git directory of ours, so that a repository's own config has
 * no say; and whatever has a name or a text from outside reaches git as bytes after `--` or as a checked id, never as an option.
 */
export { createMirrors, type MirrorsDeps } from './create-mirrors.ts';
export type {
  BlameLine,
  BulkBlob,
  Commit,
  DirectoryView,
  EntryKind,
  HistoryQuery,
  MaterialisedDirectory,
  MaterialisedFile,
  Mirror,
  MirrorCounters,
  MirrorSource,
  MirrorState,
  MirrorSubject,
  Mirrors,
  MirrorsOptions,
  ReadOptions,
  Ref,
  RemoteAccess,
  ResolvedRevision,
  TreeEntry,
  UncommittedChanges,
} from './types.ts';

import path from 'node:path';

/** What stands where in the data folder. */
export interface DataFolderLayout {
  folder: string;
  /** Read when no other config file is named. */
  config: string;
  database: string;
  mirrors: string;
  worktrees: string;
  index: string;
  /** The CLI talks to a running server through it. */
  socket: string;
  /** The token that `periscope up` writes for the operator's own clients. */
  token: string;
}

export function dataFolderLayout(folder: string): DataFolderLayout {
  return {
    folder,
    config: path.join(folder, 'periscope.yaml'),
    database: path.join(folder, 'periscope.db'),
    mirrors: path.join(folder, 'mirrors'),
    worktrees: path.join(folder, 'worktrees'),
    index: path.join(folder, 'index'),
    socket: path.join(folder, 'periscope.sock'),
    token: path.join(folder, 'operator.token'),
  };
}

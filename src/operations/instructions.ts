/** Told to a model once, before any tool is named: that the repositories are there, and how to go about them. */
export const instructions = `Periscope sees every repository of this organisation that you may read, not only the one that is checked out.
Use it whenever an answer may live in another repository: a shared library, a service that is called, a schema, a pipeline, a convention.
- Do not clone and do not guess: read in place. No repository needs to be checked out.
- search answers a question in your own words with the few places that it is about: start there when you cannot name what you look for. codesearch finds text and regular expressions in all repositories at once: start there when you can, before you guess which one it is. graph walks the structure: who defines, calls, extends, imports a symbol or depends on a package, across repositories. codesearch_repos lists the repositories and what of them is indexed. list_directory walks one. read_file reads lines. scan_directory finds a pattern below one directory, indexed or not. history tells who changed what, and when.
- Name a repository as "owner/name", or by its short name when that is unique. A revision is a branch, a tag or a commit; without one the default branch is read.
- Answers are cut to what is useful. When one says CUT, continue with its cursor, or ask more narrowly.
- "not-found-or-no-access" means that there is no such repository or that you may not read it: take a name that codesearch_repos lists.
- When you quote a place, give repository, path and lines as the answer shows them.
- Uncommitted changes are never seen.`;

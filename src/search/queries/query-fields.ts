/** A filter that is written `name:value` in a query. */
export interface QueryField {
  readonly name: FieldName;
  /** Further names; those of one letter are zoekt's. */
  readonly aliases: readonly string[];
  readonly values: string;
  readonly about: string;
  readonly example: string;
}

export type FieldName = (typeof rows)[number][0];

const rows = [
  [
    'repo',
    'r repository',
    'part of a name, glob or regex; `@rev` behind it',
    'Repositories whose `owner/name` fits; with `@rev` at that branch, tag or commit.',
    'repo:acme/pay*@v1.2',
  ],
  [
    'file',
    'f path',
    'part of a path, glob or regex',
    'Paths that fit. In a glob `*` never crosses a slash.',
    'file:src/**/*.ts',
  ],
  ['lang', 'l language', 'name or alias', 'Files in one language; several with commas.', 'lang:go'],
  ['content', 'c', 'text or regex', 'What the text of a file holds, never its path.', 'content:timeout'],
  ['regex', '', 'regex', 'The same as `/.../`.', 'regex:retr(y|ies)'],
  ['sym', 'symbol', 'name or regex', 'Definitions by name.', 'sym:parseQuery'],
  [
    'case',
    '',
    '`yes`, `no`, `auto`',
    'Whether letter case counts. `auto`: for terms with a capital letter. Holds within its parentheses.',
    'case:yes',
  ],
  [
    'branch',
    'b',
    'part of a name, glob or regex',
    'Indexed branches whose name fits; `HEAD` is the default branch.',
    'branch:release/*',
  ],
  [
    'rev',
    'revision',
    'branch, tag or commit',
    'The revision to search in every repository that `repo:` fits.',
    'repo:pay rev:v1.2',
  ],
  [
    'type',
    't',
    '`content`, `file`, `path`, `repo`, `commit`, `diff`, `symbol`',
    'What is looked for. `path`: terms are about paths alone.',
    'type:commit fix',
  ],
  [
    'select',
    '',
    '`repo`, `file`, `content`, `symbol`',
    'What is listed instead of lines. `symbol`: terms are names of definitions, and these alone are shown.',
    'select:repo',
  ],
  ['count', '', 'a number or `all`', 'How many places are wanted; `all` counts exactly.', 'count:all'],
  ['author', '', 'part of a name or address', 'Of commits and diffs.', 'type:commit author:jane'],
  ['after', 'since', 'a date, or `2 weeks ago`', 'Commits and diffs from then on.', 'after:2024-01-31'],
  ['before', 'until', 'a date, or `yesterday`', 'Commits and diffs until then.', 'before:"3 days ago"'],
  [
    'archived',
    'a',
    '`yes`, `only`, `no`',
    'Only archived repositories, or none of them. Without it they are included.',
    'archived:no',
  ],
  [
    'fork',
    '',
    '`yes`, `only`, `no`',
    'Only forks, or none of them. Without it they are included.',
    'fork:no',
  ],
  [
    'repo.has.file',
    'repohasfile repo.has.path',
    'part of a path, glob or regex',
    'Repositories that have such a file. Also `repo:has.file(path:go.mod content:grpc)`.',
    'repo.has.file:go.mod',
  ],
  [
    'context',
    '',
    'name of a set',
    'Repositories of a set from the config; also `repo:@name`.',
    'context:backend',
  ],
  ['owner', 'org user', 'name', 'Repositories of one owner.', 'org:acme'],
  ['extension', 'ext', 'file extension', 'The same as `file:*.x`.', 'extension:go'],
  ['filename', '', 'base name or glob', 'The name of the file without its folders.', 'filename:package.json'],
  ['is', '', '`archived`, `fork`', 'The same as `archived:only` and `fork:only`.', '-is:fork'],
  [
    'patterntype',
    '',
    '`standard`, `keyword`, `literal`, `regexp`',
    'How the rest is read: as usual, as one text, or as one regex.',
    'patterntype:regexp a b',
  ],
  [
    'public',
    'visibility',
    '',
    'Accepted and left out of account: what you may read is known already.',
    'public:yes',
  ],
] as const satisfies readonly (readonly [string, string, string, string, string])[];

/** In the order of the user's page. */
export const queryFields: readonly QueryField[] = rows.map(([name, aliases, values, about, example]) => ({
  name,
  aliases: aliases === '' ? [] : aliases.split(' '),
  values,
  about,
  example,
}));

const byName = new Map(
  queryFields.flatMap((field) => [field.name, ...field.aliases].map((name) => [name, field])),
);

/** Names of one letter count in small letters only. */
export function fieldNamed(written: string): QueryField | undefined {
  return byName.get(written.length === 1 ? written : written.toLowerCase());
}

/** The field that a misspelled name probably means: one letter more, less, other, or two exchanged. */
export function nearField(written: string): string | null {
  const name = written.toLowerCase();
  if (name.length < 3 || name.length > 12) return null;
  for (const known of byName.keys()) if (known.length > 3 && isOneStepFrom(name, known)) return known;
  return null;
}

function isOneStepFrom(left: string, right: string): boolean {
  let start = 0;
  while (start < left.length && left[start] === right[start]) start++;
  const [restLeft, restRight] = [left.slice(start), right.slice(start)];
  return (
    restLeft.slice(1) === restRight ||
    restLeft === restRight.slice(1) ||
    (restLeft !== '' && restLeft.slice(1) === restRight.slice(1)) ||
    (restLeft.length > 1 &&
      restLeft[1] === restRight[0] &&
      restLeft[0] === restRight[1] &&
      restLeft.slice(2) === restRight.slice(2))
  );
}

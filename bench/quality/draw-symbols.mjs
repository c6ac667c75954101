/**
 * Draws the symbols of defining-files.json from a tree of OWNER/NAME/path (bench/peers/export-tree.mjs): functions, methods and types that
 * universal-ctags finds, which at most two files of the whole tree define and at least one other file names. Each repository gives as
 * many as any other, so that no language outweighs the rest. Arguments: the tree, and how many are drawn (500). Seeded: two runs over
 * one tree draw alike.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

const DEFINING_FILES_MAX = 2;
/** So many are looked at for each one drawn: most names occur where they are defined and nowhere else. */
const CANDIDATES_PER_DRAW = 30;
const SEED = 4;

const languages = 'C,C++,C#,Elixir,Go,Java,JavaScript,Lua,PHP,Perl,Python,Ruby,Rust,Sh,TypeScript';
const kinds = new Set(
  'func function method singletonMethod class struct union interface trait enum type typedef alias talias'.split(
    ' ',
  ),
);

const [tree, count = 500] = process.argv.slice(2);
if (tree === undefined) {
  console.error('Usage: node bench/quality/draw-symbols.mjs TREE [COUNT]');
  process.exit(2);
}
const random = seeded(SEED);
const definitions = await definitionsIn(tree);
const byRepository = new Map();
for (const [name, { kind, files }] of [...definitions].sort(([one], [other]) => (one < other ? -1 : 1))) {
  if (files.size > DEFINING_FILES_MAX) continue;
  const repository = [...files][0].split('/', 2).join('/');
  if (!byRepository.has(repository)) byRepository.set(repository, []);
  byRepository.get(repository).push({ name, kind, files: [...files].sort() });
}
const repositories = [...byRepository].sort(([one], [other]) => (one < other ? -1 : 1));
const share = Math.ceil(Number(count) / repositories.length);
const candidates = repositories.map(([, symbols]) => drawn(symbols, share * CANDIDATES_PER_DRAW));
const mentions = await filesThatName(candidates.flat().map(({ name }) => name));
const chosen = candidates.map((symbols) =>
  symbols.filter(({ name, files }) => (mentions.get(name)?.size ?? 0) > files.length),
);
// In turn from each repository, so that those with few symbols leave their share to the others.
const symbols = [];
for (let round = 0; symbols.length < count && chosen.some((some) => some.length > round); round++) {
  for (const some of chosen) {
    if (some[round] && symbols.length < count) symbols.push(some[round]);
  }
}
const rows = symbols.map(({ name, kind, files }) => ({
  name,
  kind,
  namedIn: mentions.get(name).size,
  places: files.map((file) => file.replace(/^([^/]+\/[^/]+)\//, '$1:')),
}));
writeFileSync(
  new URL('defining-files.json', import.meta.url),
  `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`,
);
console.log(
  `${definitions.size} names defined, ${rows.length} drawn from ${repositories.length} repositories`,
);

/** name -> {kind of its first definition, files}. */
async function definitionsIn(folder) {
  const found = new Map();
  const ctags = [
    ...['--options=NONE', '-R', `--languages=${languages}`, '--output-format=json', '--fields=NFKl'],
    ...['-f', '-', '.'],
  ];
  for await (const line of linesOf('ctags', ctags, folder)) {
    const { name, path: file, kind, language } = JSON.parse(line);
    const isMethod = kind === 'member' && language === 'Python';
    if (!(kinds.has(kind) || isMethod) || !/^[A-Za-z_]\w{3,}$/.test(name)) continue;
    if (!found.has(name)) found.set(name, { kind: isMethod ? 'method' : kind, files: new Set() });
    found.get(name).files.add(path.normalize(file));
  }
  return found;
}

/** name -> the files in which it stands as a whole word. */
async function filesThatName(names) {
  const found = new Map(names.map((name) => [name, new Set()]));
  const search = [
    ...['--no-config', '--no-ignore', '--hidden', '--text', '--only-matching', '--no-line-number'],
    ...['--null', '--with-filename', '--word-regexp', '--fixed-strings', '--file', '-', '.'],
  ];
  const rows = linesOf('rg', search, tree, names.join('\n'));
  for await (const row of rows) {
    const [file, word] = row.split('\0');
    found.get(word)?.add(file);
  }
  return found;
}

async function* linesOf(program, args, cwd, input = '') {
  const child = spawn(program, args, { cwd, stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.end(input);
  yield* createInterface({ input: child.stdout });
}

function drawn(things, number) {
  const rest = [...things];
  const taken = [];
  while (taken.length < number && rest.length > 0)
    taken.push(...rest.splice(Math.floor(random() * rest.length), 1));
  return taken;
}

/** mulberry32. */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

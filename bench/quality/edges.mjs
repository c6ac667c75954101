/**
 * How often the resolver says what SCIP says: `node bench/quality/edges.mjs DATA_FOLDER OWNER/NAME=INDEX.scip... [--show KIND:FATE]
 * [--count 20] [--path PREFIX]`. The data folder was filled by `periscope index --once` from repositories of which each index was made
 * at the same commit. --show prints examples, `call:wrong`, `type:nothing`, `*:missing`; --causes counts fates by how they were found.
 * Built code: run `npm run build` first.
 */
import { parseArgs } from 'node:util';
import { openEdgesIndex } from './edges-index.mjs';
import { externalOf, isLocal, readTruth, suffixOf } from './edges-truth.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    show: { type: 'string' },
    count: { type: 'string', default: '20' },
    path: { type: 'string', default: '' },
    causes: { type: 'boolean', default: false },
  },
});
const [dataFolder, ...truths] = positionals;
const groups = {
  call: 'plain call',
  'member-call': 'member call',
  new: 'new',
  type: 'type',
  extends: 'heritage',
  implements: 'heritage',
  embeds: 'heritage',
  annotation: 'annotation',
  use: 'value',
  member: 'member',
};
const confidences = ['certain', 'likely', 'possible'];
const index = await openEdgesIndex(dataFolder);
const table = new Tally();
const causes = new Map();
const shown = [];
try {
  for (const truth of truths) {
    const [name, file] = truth.split('=');
    const repositoryId = index.idOf(name);
    if (repositoryId === undefined) throw new Error(`${name} is not indexed in ${dataFolder}`);
    await compareRepository(name, repositoryId, readTruth(file));
  }
} finally {
  await index.close();
}
print();

async function compareRepository(name, repositoryId, truth) {
  for (const [path, places] of truth.documents) {
    if (!path.startsWith(values.path)) continue;
    const facts = await index.file(repositoryId, path);
    // What git ignores is in no index of ours.
    if (facts === null || facts.missing !== null) {
      table.count(name, 'files', facts === null ? 'not indexed' : facts.missing);
      continue;
    }
    table.count(name, 'files', 'compared');
    compareFile({ name, repositoryId, path, places, facts, truth });
  }
}

function compareFile({ name, repositoryId, path, places, facts, truth }) {
  const lines = facts.text.split('\n');
  const seen = new Set();
  const judge = (group, place, use) => {
    seen.add(place);
    const defined = place.symbols.flatMap((symbol) => truth.definitionsOf(symbol, path));
    const expected = defined.filter((one) => !isBinding(one, path, use, facts));
    if (defined.length > 0 && expected.length === 0) {
      table.count(name, group, 'bound by require');
      return;
    }
    const outer = place.symbols.map(externalOf).filter((one) => one !== null);
    const verdict =
      expected.length > 0
        ? judgeInside(use.meant, expected, repositoryId)
        : place.symbols.every(isLocal)
          ? judgeInside(use.meant, [], repositoryId)
          : outer.every((one) => truth.packages.has(`${one.manager} ${one.name}`.toLowerCase()))
            ? judgeInside(use.meant, [], repositoryId)
            : judgeOutside(use.meant, outer, repositoryId);
    note(name, group, verdict, {
      path,
      line: place.line,
      text: lines[place.line - 1] ?? '',
      use: `${use.receiver ? `${use.receiver}.` : ''}${use.name}${use.receiverType ? ` (${use.receiverType})` : ''}`,
      meant: use.meant,
      expected: expected.length > 0 ? expected : place.symbols,
    });
  };
  for (const use of facts.references) {
    const place = places.get(`${use.line}:${use.column}`);
    if (place === undefined) table.count(name, groups[use.kind], 'not in the truth');
    else if (!place.isDefinition || place.symbols.length > 1) judge(groups[use.kind], place, use);
    else seen.add(place);
  }
  for (const one of facts.imports) {
    const place = importPlace(one, places, lines);
    if (place !== null) judge('import', place, { ...one, name: one.name });
  }
  const known = new Set(facts.imports.flatMap((one) => [one.name, one.local]));
  for (const place of places.values()) {
    if (seen.has(place) || place.isDefinition) continue;
    const kinds = place.symbols.map(suffixOf);
    const expected = place.symbols.flatMap((symbol) => truth.definitionsOf(symbol, path));
    if (expected.length === 0 || place.symbols.some(isLocal)) continue;
    // What a repository adds to a type of the language's own.
    if (place.symbols.some((symbol) => truth.definitionsOf(symbol, path).length === 0)) continue;
    const line = lines[place.line - 1] ?? '';
    const before = line.slice(0, place.column).trimEnd();
    const called = /^\s*(?:<[^()]*>)?\(/.test(line.slice(place.end));
    const isCallable = kinds.includes('method') || (kinds.includes('term') && called);
    if (!isCallable && !kinds.includes('type')) continue;
    // Defined once more, or within a function: neither is a use that others could ask for.
    if (
      facts.definitions.some(
        ({ name: defined, line: at }) => at === place.line && defined === line.slice(place.column, place.end),
      )
    )
      continue;
    if (place.symbols.every((symbol) => /\(\S*\)\..+$/.test(symbol))) continue;
    if (called && isMethodHead(facts.text, lines, place)) continue;
    const word = line.slice(place.column, place.end);
    if (known.has(word) && isWithinImport(lines, place.line)) continue;
    const isMember = /(?:\.|\?\.|->|::)$/.test(before);
    const group = called
      ? isMember
        ? 'member call'
        : /\bnew$/.test(before)
          ? 'new'
          : 'plain call'
      : isMember
        ? 'member'
        : kinds.includes('type')
          ? 'type'
          : 'value';
    note(
      name,
      group,
      { fate: 'missing', level: 'none' },
      {
        path,
        line: place.line,
        text: line,
        use: word,
        meant: [],
        expected,
      },
    );
  }
}

/** `const a = require('a')`: the truth stops at the variable, we go on to what it is. */
function isBinding({ path: definedIn, line }, path, use, { imports }) {
  const local = use.module === undefined ? use.name : use.local;
  return (
    definedIn === path &&
    imports.some((one) => one.local === local && line <= one.line && one.line - line < 30)
  );
}

/** Where an imported name stands: beside what the fact points to, which is the module's name. */
function importPlace(one, places, lines) {
  const wanted = one.name === '*' ? null : one.name === 'default' ? one.local : one.name;
  if (wanted === null || wanted === '') {
    return null;
  }
  let best = null;
  const isPython = /^\s*from\b/.test(lines[one.line - 1] ?? '');
  for (let away = 0; away <= 60; away++) {
    const line = isPython ? one.line + away : one.line - away;
    const text = lines[line - 1];
    if (text === undefined) break;
    if (away > 0 && !isPython && /\bfrom\s*['"]|^\s*$/.test(text)) break;
    for (const { index: column } of text.matchAll(
      new RegExp(`(?<![\\w$])${wanted.replaceAll('$', '\\$')}(?![\\w$])`, 'g'),
    )) {
      const place = places.get(`${line}:${column}`);
      if (place !== undefined && best === null) best = place;
    }
    if (best !== null) break;
  }
  return best !== null && isWithinImport(lines, best.line) ? best : null;
}

/** `render(a) {` in an object: it is named there, not called. */
function isMethodHead(text, lines, { line, end }) {
  let at = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + end;
  at = text.indexOf('(', at);
  for (let depth = 0; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) break;
  }
  return /^\s*(?::[^;{},()]*)?\{/.test(text.slice(at + 1, at + 80));
}

function isWithinImport(lines, line) {
  for (let at = line; at > Math.max(0, line - 60); at--) {
    const text = lines[at - 1] ?? '';
    if (/^\s*(?:import|export|from)\b|\brequire\(|\bimport\(/.test(text)) return true;
    if (at < line && /[;)]\s*$|^\s*$/.test(text)) return false;
  }
  return false;
}

/** `unknown`: the truth says that it is of this repository, and not where. */
function judgeInside(meant, expected, repositoryId) {
  const isRight = (one) =>
    one.repositoryId === repositoryId &&
    expected.some(
      ({ path, line }) => path === one.path && (line === one.line || line === 0 || one.line === 0),
    );
  const [first] = meant;
  if (expected.length === 0)
    return {
      fate: first === undefined ? 'unknown, nothing said' : 'unknown',
      level: first?.confidence ?? 'none',
    };
  if (first === undefined) return { fate: 'nothing', level: 'none' };
  if (isRight(first)) return { fate: 'right', level: first.confidence };
  return { fate: meant.some(isRight) ? 'among' : 'wrong', level: first.confidence };
}

/** What is defined in another package: in another repository, or nowhere here. */
function judgeOutside(meant, outer, repositoryId) {
  const [first] = meant;
  if (first === undefined) return { fate: 'outside, nothing said', level: 'none' };
  if (first.repositoryId === repositoryId) return { fate: 'outside, wrong', level: first.confidence };
  const fits = (one) =>
    outer.some(({ module, last }) => {
      const stem = one.path.replace(/(?:\/__init__)?\.\w+$/, '').replaceAll('/', '.');
      return (
        (one.name === null || one.name === last) &&
        (module === '' || stem === module || stem.endsWith(`.${module}`))
      );
    });
  if (fits(first)) return { fate: 'outside, right', level: first.confidence };
  return { fate: 'outside, elsewhere', level: first.confidence };
}

function note(name, group, { fate, level }, example) {
  table.count(name, group, fate, level);
  const [first] = example.meant;
  const cause = `${group} | ${fate} | ${first === undefined ? '' : `${first.how} ${first.confidence}`}`;
  causes.set(cause, (causes.get(cause) ?? 0) + 1);
  if (values.show === undefined) return;
  const [kinds, fates, levels] = values.show.split(':');
  if (kinds !== '*' && kinds !== group) return;
  if (!fates.split('|').includes(fate)) return;
  if (levels !== undefined && !levels.split('|').includes(level)) return;
  shown.push({ name, ...example });
}

function print() {
  if (values.show) return printExamples();
  console.log(
    '| repository | use | inside | right | of them | among | wrong | nothing | missing | said | precision | likely or certain | precision | certain | precision | outside: right | elsewhere | wrong | nothing |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|');
  for (const name of [...table.names(), 'all']) {
    for (const group of [...new Set(Object.values(groups)), 'import']) {
      const of = (fate, levels) => table.sum(name, group, fate, levels);
      const inside = of('right') + of('among') + of('wrong') + of('nothing') + of('missing');
      if (inside === 0) continue;
      const said = (levels) => {
        const wrong =
          of('among', levels) +
          of('wrong', levels) +
          of('outside, wrong', levels) +
          of('outside, elsewhere', levels);
        const right = of('right', levels) + of('outside, right', levels);
        return [right + wrong, share(right, right + wrong)];
      };
      const cells = [
        name,
        group,
        inside,
        of('right'),
        share(of('right'), inside),
        of('among'),
        of('wrong'),
        of('nothing'),
        of('missing'),
        ...said(confidences),
        ...said(['certain', 'likely']),
        ...said(['certain']),
        of('outside, right'),
        of('outside, elsewhere'),
        of('outside, wrong'),
        of('outside, nothing said'),
      ];
      console.log(`| ${cells.join(' | ')} |`);
    }
  }
  for (const name of table.names()) console.log(`${name}: files ${JSON.stringify(table.of(name, 'files'))}`);
  if (values.causes)
    for (const [cause, count] of [...causes].sort(([a], [b]) => (a < b ? -1 : 1)))
      console.log(`${cause}: ${count}`);
}

function printExamples() {
  const step = Math.max(1, Math.floor(shown.length / Number(values.count)));
  console.log(`${shown.length} of ${values.show}`);
  for (let at = 0; at < shown.length && at / step < Number(values.count); at += step) {
    const { name, path, line, text, use, meant, expected } = shown[at];
    console.log(`${name} ${path}:${line} ${use}\n    ${text.trim().slice(0, 160)}`);
    console.log(
      `    said ${meant.length} ${meant
        .slice(0, 3)
        .map(
          (one) =>
            `${index.nameOf(one.repositoryId) === name ? '' : `${index.nameOf(one.repositoryId)}:`}${one.path}:${one.line} ${one.kind} ${one.how} ${one.confidence}`,
        )
        .join(', ')}`,
    );
    console.log(
      `    true ${expected
        .slice(0, 3)
        .map((one) => (typeof one === 'string' ? one : `${one.path}:${one.line}`))
        .join(', ')}`,
    );
  }
}

function share(part, whole) {
  return whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`;
}

function Tally() {
  const counts = new Map();
  this.count = (name, group, fate, level = '') => {
    const byGroup = counts.get(name) ?? new Map();
    counts.set(name, byGroup);
    const key = `${group}\0${fate}\0${level}`;
    byGroup.set(key, (byGroup.get(key) ?? 0) + 1);
  };
  this.names = () => [...counts.keys()];
  this.of = (name, group) => {
    const found = {};
    for (const [key, count] of counts.get(name) ?? []) {
      const [of, fate] = key.split('\0');
      if (of === group) found[fate] = (found[fate] ?? 0) + count;
    }
    return found;
  };
  this.sum = (name, group, fate, levels) => {
    let sum = 0;
    for (const [of, byGroup] of counts) {
      if (name !== 'all' && of !== name) continue;
      for (const [key, count] of byGroup) {
        const [inGroup, inFate, level] = key.split('\0');
        if (inGroup === group && inFate === fate && (levels === undefined || levels.includes(level)))
          sum += count;
      }
    }
    return sum;
  };
}

import { type Language, languageTable } from './language-table.ts';

/** Numbers of languages: 0 is none, else the place in the table, counted from 1. */
export const NO_LANGUAGE = 0;

/** The language of a file by its name, else by its `#!` line when that is given; 0 when neither tells. */
export function languageOf(path: string, firstLine = ''): number {
  const base = path.slice(path.lastIndexOf('/') + 1);
  const named = byFile.get(base) ?? byExtensionOf(base) ?? byStem(base);
  if (named !== undefined) return named;
  return firstLine.startsWith('#!') ? byInterpreterOf(firstLine) : NO_LANGUAGE;
}

/** The language of a name, alias or extension in any letter case: `Go`, `golang`, `c++`, `.ts`; null when there is none. */
export function languageNamed(written: string): number | null {
  const name = written.trim().toLowerCase();
  return byName.get(name) ?? byExtension.get(name.startsWith('.') ? name : `.${name}`) ?? null;
}

/** Null for 0 and for numbers of a newer table. */
export function languageName(language: number): string | null {
  return languageTable[language - 1]?.name ?? null;
}

/** Names of languages that were probably meant, best first. */
export function nearLanguages(written: string, max = 3): string[] {
  const asked = pairsOf(written.toLowerCase());
  const scores = new Map<string, number>();
  for (const { name, aliases } of languageTable) {
    const best = Math.max(
      ...[name.toLowerCase(), ...aliases].map((known) => likeness(asked, pairsOf(known))),
    );
    if (best >= 0.4) scores.set(name, best);
  }
  return [...scores]
    .sort((a, b) => b[1] - a[1])
    .slice(0, max)
    .map(([name]) => name);
}

const byName = indexed(({ name, aliases }) => [name.toLowerCase(), ...aliases]);
const byExtension = indexed(({ extensions }) => extensions);
const byFile = indexed(({ files }) => files);
const byInterpreter = indexed(({ interpreters }) => interpreters);

function indexed(keysOf: (language: Language) => readonly string[]): ReadonlyMap<string, number> {
  const map = new Map<string, number>();
  for (const [place, language] of languageTable.entries())
    for (const key of keysOf(language)) if (!map.has(key)) map.set(key, place + 1);
  return map;
}

/** The longest known extension: of `a.blade.php` first `.blade.php`, then `.php`. Names of more than four parts count by their last. */
function byExtensionOf(base: string): number | undefined {
  const name = base.toLowerCase();
  const parts = name.split('.');
  for (let from = Math.max(1, parts.length - 3); from < parts.length; from++) {
    const found = byExtension.get(`.${parts.slice(from).join('.')}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `Dockerfile.prod`, `Makefile-linux`, `Jenkinsfile.nightly`. */
function byStem(base: string): number | undefined {
  const stem = /^(?:Dockerfile|Containerfile|Makefile|Jenkinsfile)(?=[.-])/.exec(base);
  return stem ? byFile.get(stem[0]) : undefined;
}

function byInterpreterOf(firstLine: string): number {
  const [program = '', ...rest] = firstLine.slice(2, 200).trim().split(/\s+/);
  const isEnv = /(?:^|\/)env$/.test(program);
  const interpreter = isEnv ? rest.find((word) => !/^-|=/.test(word)) : program;
  const name = (interpreter ?? '').replace(/^.*\//, '').toLowerCase();
  return byInterpreter.get(name) ?? byInterpreter.get(name.replace(/[\d.]+$/, '')) ?? NO_LANGUAGE;
}

function pairsOf(text: string): Set<string> {
  const pairs = new Set<string>();
  const padded = `^${text.slice(0, 40)}$`;
  for (let at = 0; at + 1 < padded.length; at++) pairs.add(padded.slice(at, at + 2));
  return pairs;
}

/** The share of neighbouring letter pairs that both have (Dice). */
function likeness(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of left) if (right.has(pair)) shared++;
  return (2 * shared) / (left.size + right.size);
}

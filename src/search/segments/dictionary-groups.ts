import type { DictionaryGroup } from './types.ts';

/** Extensions of each group but the last, which takes all others. */
const extensions: readonly string[][] = [
  ['go'],
  ['java', 'kt', 'scala', 'groovy', 'cs'],
  ['py', 'pyi'],
  ['js', 'ts', 'tsx', 'jsx', 'mjs', 'cjs', 'vue', 'svelte', 'css', 'scss', 'html'],
  ['rs'],
  ['c', 'h', 'cc', 'cpp', 'hpp', 'tcl', 's'],
  ['md', 'rst', 'txt', 'adoc', 'po', 'markdown', '1', '3', 'd'],
];

export const DICTIONARY_GROUPS = extensions.length + 1;

const groups = new Map(extensions.flatMap((names, group) => names.map((name) => [name, group] as const)));

/** The group of a file by its name; texts of one group are compressed with one dictionary. */
export function dictionaryGroup(path: string): DictionaryGroup {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase();
  return (extension === undefined ? undefined : groups.get(extension)) ?? extensions.length;
}

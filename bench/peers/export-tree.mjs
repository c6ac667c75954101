/**
 * Writes the text files of a corpus as plain files, for peers that read folders. Arguments: the corpus folder and the folder to write,
 * which becomes OWNER/NAME/path.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { corpusRepositories, filesAtHead, textBlobs } from '../support/corpus-repositories.mjs';

const [corpus, tree] = process.argv.slice(2);
if (tree === undefined) {
  console.error('Usage: node bench/peers/export-tree.mjs CORPUS TREE');
  process.exit(2);
}
let files = 0;
let bytes = 0;
let uniqueBytes = 0;
const seen = new Set();
for (const { name, gitDir } of corpusRepositories(corpus)) {
  const places = groupById(filesAtHead(gitDir));
  for await (const { objectId, content } of textBlobs(gitDir, places.keys())) {
    for (const place of places.get(objectId)) {
      const target = path.join(tree, name, place.path);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, content);
      files++;
      bytes += content.length;
    }
    if (!seen.has(objectId)) uniqueBytes += content.length;
    seen.add(objectId);
  }
}
console.log(
  `${files} files, ${(bytes / 1e6).toFixed(1)} MB, of them unique ${(uniqueBytes / 1e6).toFixed(1)} MB in ${seen.size} blobs`,
);

function groupById(rows) {
  const groups = new Map();
  for (const row of rows) {
    const group = groups.get(row.objectId);
    if (group) group.push(row);
    else groups.set(row.objectId, [row]);
  }
  return groups;
}

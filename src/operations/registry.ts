import { z } from 'zod';
import { isKnownAlias } from './addressing/tool-names.ts';
import { codesearch } from './tools/codesearch.ts';
import { codesearchRepos } from './tools/codesearch-repos.ts';
import { fetchFile } from './tools/fetch-file.ts';
import { graph } from './tools/graph.ts';
import { history } from './tools/history.ts';
import { listDirectory } from './tools/list-directory.ts';
import { readFile } from './tools/read-file.ts';
import { scanDirectory } from './tools/scan-directory.ts';
import { search } from './tools/search.ts';
import type { Operation, OperationDescription } from './types.ts';

/** Every tool there is, in the order in which agents see them. */
export const operations: readonly Operation[] = [
  search,
  codesearch,
  codesearchRepos,
  graph,
  listDirectory,
  readFile,
  fetchFile,
  scanDirectory,
  history,
];

export const operationNames: ReadonlySet<string> = new Set(operations.map(({ name }) => name));

export function isOperation(name: string): boolean {
  return operationNames.has(name) || isKnownAlias(name);
}

const descriptions: readonly OperationDescription[] = operations.map((operation) => ({
  name: operation.name,
  title: operation.title,
  description: operation.description,
  readOnly: operation.readOnly,
  inputSchema: z.toJSONSchema(operation.input, { io: 'input' }),
  outputSchema: z.toJSONSchema(operation.output, { io: 'output' }),
}));

/** The tools as surfaces announce them; the same for every caller. */
export function describeOperations(): readonly OperationDescription[] {
  return descriptions;
}

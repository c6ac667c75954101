/**
 * The tools: one file each, no protocol, no access check of their own. `createOperations` is the single handler around all of them:
 * it reads what a weak model meant, passes the one gate, asks the guards, runs the tool within its bounds and fits the answer into
 * the token budget.
 *
 * It knows no protocol, no config and no storage. Start with handler.ts, then tools/read-file.ts as the shortest tool; addressing/ is
 * guard 1 (misaddressed calls), guards.ts the other two. docs/adding-an-operation.md tells how to add one.
 */
export type { CodeQuery, FoundCode } from './codesearch/code-finder.ts';
export { createOperations, type OperationsDeps } from './handler.ts';
export { instructions } from './instructions.ts';
export { mentionOf } from './mentions.ts';
export { describeOperations, isOperation } from './registry.ts';
export type { ListedTrace } from './retrieval/listed-traces.ts';
export type { ScipUpload } from './scip-upload.ts';
export type {
  Listen,
  Operation,
  OperationDescription,
  Operations,
  OperationsOptions,
  ProgramOperations,
  RankingTrials,
  ToolAnswer,
  ToolCall,
} from './types.ts';

export type {
  Operation,
  OperationDescription,
  Operations,
  OperationsOptions,
  ToolAnswer,
  ToolCall,
} from './types.ts';

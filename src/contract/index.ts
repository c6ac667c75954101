/**
 * What crosses the wire, as the page and other clients see it. Plain types: no server code, no dependency.
 * Start with answer.ts (every tool's answer) and mention.ts (the picker).
 */
export type { ErrorJson, ToolAnswerJson } from './answer.ts';
export type { MentionJson, MentionsJson } from './mention.ts';

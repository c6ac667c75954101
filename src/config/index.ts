/**
 * Reads periscope.yaml and says what it means. Start with load-config.ts; schema.ts and parts/ hold one zod schema and one meaning
 * for each module's part.
 *
 * What was written becomes what is meant in two steps: the strict schema finds every fault at once, then paths are resolved,
 * defaults are in place, and secret references have become functions that fetch the secret when it is needed. The schema is also the
 * source of docs/reference/config.md and of the JSON schema (config-reference.ts).
 *
 * It knows no other module: the parts of `Config` have the shapes of the modules' options, and the composition root hands them over.
 * It reads no repository and never looks for a config in the current folder.
 */
export type { Config } from './config.ts';
export type { ConfigFault } from './config-fault.ts';
export { configReference } from './config-reference.ts';
export type { DataFolderLayout } from './data-folder.ts';
export { dataFolderLayout } from './data-folder.ts';
export { configJsonSchema } from './json-schema.ts';
export type { ConfigOverrides, LoadConfigOptions } from './load-config.ts';
export { commandLineHost, loadConfig } from './load-config.ts';
export { checkFiles, checkSecrets, printableConfig } from './printable-config.ts';
export type { Role } from './schema.ts';
export { roles } from './schema.ts';
export type { Secret } from './secret-reference.ts';

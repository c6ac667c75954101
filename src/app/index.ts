/**
 * The composition root. `createApp` builds a whole Periscope from a config: storage, mirrors, hosts, catalog, gate, content door,
 * operations, surfaces. `openAdministration` opens what an operator's command needs, beside a running server.
 *
 * Nothing here decides anything: it hands each module its part of the config and what it needs from above. Start with create-app.ts.
 */
export {
  type Administration,
  type Explanation,
  hostsOfConfig,
  openAdministration,
} from './administration.ts';
export { type App, type AppOptions, createApp } from './create-app.ts';
export type { Discovery } from './discovery.ts';
export { createLogger } from './logger.ts';
export { storageOptions } from './storage-options.ts';

import { readFileSync } from 'node:fs';

const packageFile = new URL('../../package.json', import.meta.url);

/** Of this build: package.json stands two levels above both src/app and dist/app. */
export const periscopeVersion: string = (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string })
  .version;

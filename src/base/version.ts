import { readFileSync } from 'node:fs';

const packageFile = new URL('../../package.json', import.meta.url);

/** Of this build: package.json stands two levels above both src/base and dist/base. */
export const periscopeVersion: string = (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string })
  .version;

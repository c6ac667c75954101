import type { PackageFact } from '../../search/index.ts';
import { readCargoToml } from './cargo-toml.ts';
import { readComposerJson } from './composer-json.ts';
import { readCsproj } from './csproj.ts';
import { readGoMod } from './go-mod.ts';
import { readBuildGradle, readSettingsGradle, readVersionCatalog } from './gradle.ts';
import { readPackageJson, readPnpmWorkspace } from './package-json.ts';
import { readPomXml } from './pom-xml.ts';
import { readPyproject, readRequirements, readSetupCfg, readSetupPy } from './python-packages.ts';
import { readGemfile, readGemspec } from './ruby-gems.ts';

type Reader = (text: string, path: string) => PackageFact | null;

/** Readers of package manifests by the base name. Each gives null where the text is no manifest after all. */
const readers: readonly (readonly [RegExp, Reader])[] = [
  [/^package\.json$/, readPackageJson],
  [/^pnpm-workspace\.ya?ml$/, readPnpmWorkspace],
  [/^go\.mod$/, readGoMod],
  [/^pyproject\.toml$/, readPyproject],
  [/^setup\.cfg$/, readSetupCfg],
  [/^setup\.py$/, readSetupPy],
  [/^(?:.*[-_.])?requirements(?:[-_.].*)?\.(?:txt|in)$/, readRequirements],
  [/^Cargo\.toml$/, readCargoToml],
  [/^pom\.xml$/, readPomXml],
  [/^build\.gradle(?:\.kts)?$/, readBuildGradle],
  [/^settings\.gradle(?:\.kts)?$/, readSettingsGradle],
  [/\.versions\.toml$/, readVersionCatalog],
  [/\.(?:cs|fs|vb)proj$|^Directory\.Packages\.props$/, readCsproj],
  [/\.gemspec$/, readGemspec],
  [/^Gemfile$/, readGemfile],
  [/^composer\.json$/, readComposerJson],
];

/** What a package manifest says, null where `path` names none or its text cannot be read. */
export function readPackageFile(path: string, text: Uint8Array): PackageFact | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const reader = readers.find(([pattern]) => pattern.test(name))?.[1];
  if (!reader) return null;
  try {
    return reader(Buffer.from(text.buffer, text.byteOffset, text.length).toString('utf8'), path);
  } catch {
    // Broken manifests are ordinary: fixtures of tests, templates.
    return null;
  }
}

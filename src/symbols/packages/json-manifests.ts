import type { DependencyFact } from '../../search/index.ts';

/** Sections of a JSON manifest that name packages with versions, each with the line where it stands. */
export function jsonDependencies(
  text: string,
  manifest: Record<string, unknown>,
  sections: readonly (readonly [string, DependencyFact['scope']])[],
): DependencyFact[] {
  const dependencies: DependencyFact[] = [];
  for (const [key, scope] of sections) {
    const section = manifest[key];
    if (!isRecord(section)) continue;
    let from = Math.max(0, text.indexOf(`"${key}"`));
    let line = lineOf(text, from);
    for (const [name, version] of Object.entries(section)) {
      if (typeof version !== 'string') continue;
      // Names stand in the order in which they are read, save for such as are numbers.
      const at = text.indexOf(`"${name}"`, from);
      if (at >= 0) {
        line += lineBreaks(text, from, at);
        from = at;
      }
      dependencies.push({ name, version, scope, line });
    }
  }
  return dependencies;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function stringIn(manifest: Record<string, unknown>, key: string): string | null {
  const value = manifest[key];
  return typeof value === 'string' ? value : null;
}

/** The named keys as JSON text, null where the manifest has none of them. */
export function extraOf(manifest: Record<string, unknown>, keys: readonly string[]): string | null {
  const kept = Object.fromEntries(
    keys.flatMap((key) => (manifest[key] === undefined ? [] : [[key, manifest[key]]])),
  );
  return Object.keys(kept).length > 0 ? JSON.stringify(kept) : null;
}

function lineOf(text: string, at: number): number {
  return 1 + lineBreaks(text, 0, at);
}

function lineBreaks(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

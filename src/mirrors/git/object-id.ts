import { objectIdSyntax } from '../errors.ts';

/** A whole object id and nothing else: what git reads it as can be no option, no range and no name. */
export function isObjectId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/** The ids themselves, checked. Every id on its way to a git process passes here, wherever it came from. */
export function checkedObjectIds(oids: readonly string[]): readonly string[] {
  const faulty = oids.find((oid) => !isObjectId(oid));
  if (faulty !== undefined) throw objectIdSyntax(faulty);
  return oids;
}

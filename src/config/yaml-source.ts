import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, type YAMLError } from 'yaml';
import type { ConfigFault, KeyPath } from './config-fault.ts';

/** A YAML file as plain values, with the line of each key at hand. */
export interface YamlSource {
  value: unknown;
  faults: ConfigFault[];
  /** Line of the value at `path`, or of the nearest thing around it that stands in the file. */
  lineOf(path: KeyPath): number | null;
  /** Line of a key itself, for one that should not be there. */
  lineOfKey(path: KeyPath): number | null;
}

export function readYaml(text: string): YamlSource {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const line = (offset: number | undefined) =>
    offset === undefined ? null : lineCounter.linePos(offset).line;
  const faults = [...document.errors, ...document.warnings].map(
    (error): ConfigFault => ({ key: '', line: line(error.pos[0]), message: wordingOf(error) }),
  );
  let value: unknown = null;
  if (faults.length === 0) {
    try {
      value = document.toJS({ maxAliasCount: 100 });
    } catch {
      faults.push({ key: '', line: null, message: 'its aliases (*name) cannot be followed or are too many' });
    }
  }
  const lineOf = (path: KeyPath): number | null => {
    for (let length = path.length; length >= 0; length--) {
      const node = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) {
        return length === 0
          ? null
          : (lineOfKeyIn(document, path.slice(0, length), line) ?? line(node.range[0]));
      }
    }
    return null;
  };
  return { value, faults, lineOf, lineOfKey: (path) => lineOfKeyIn(document, path, line) ?? lineOf(path) };
}

function lineOfKeyIn(
  document: Document,
  path: KeyPath,
  line: (offset: number | undefined) => number | null,
): number | null {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isMap(parent)) return null;
  const name = path.at(-1);
  const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(name));
  return isScalar(pair?.key) ? line(pair.key.range?.[0]) : null;
}

/** These messages quote the file's text, which may be a secret in the wrong place. */
const wordingOfQuoting: Readonly<Record<string, string>> = {
  BAD_ALIAS: 'an alias (*name) has no anchor (&name) before it; quote values that begin with *',
  BAD_DIRECTIVE: 'a directive (%) is not understood',
  BAD_DQ_ESCAPE: 'an escape in double quotes is not valid; use single quotes for plain text',
  BAD_SCALAR_START: 'a value begins with a character that must be quoted',
  TAG_RESOLVE_FAILED: 'a tag (!name) is not understood; quote values that begin with !',
  UNEXPECTED_TOKEN: 'text that does not belong here; check quotes and indentation',
};

function wordingOf({ code, message }: YAMLError): string {
  return `YAML: ${wordingOfQuoting[code] ?? message}`;
}

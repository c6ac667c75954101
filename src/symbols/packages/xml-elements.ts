export interface XmlElement {
  /** Names of the elements around it and its own, without namespaces: `project/dependencies/dependency`. */
  path: string;
  attributes: ReadonlyMap<string, string>;
  /** The text in it, without blanks around; empty where it holds elements. */
  text: string;
  line: number;
}

const DEPTH_MAX = 64;

/** The elements of an XML file in the order in which they end. Broken ones are passed over. */
export function xmlElements(source: string): XmlElement[] {
  const elements: XmlElement[] = [];
  const open: {
    name: string;
    attributes: Map<string, string>;
    from: number;
    line: number;
    plain: boolean;
  }[] = [];
  const tag =
    /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<[?!][^>]*>|<(\/?)([\w:.-]+)((?:[^<>"']|"[^"]*"|'[^']*')*?)(\/?)>/g;
  let line = 1;
  let counted = 0;
  for (let found = tag.exec(source); found; found = tag.exec(source)) {
    for (; counted < found.index; counted++) if (source.charCodeAt(counted) === 10) line++;
    const [, closing, written, rest = '', selfClosing] = found;
    if (written === undefined) continue;
    const name = written.slice(written.indexOf(':') + 1);
    if (closing) {
      const top = open.pop();
      if (!top || top.name !== name) continue;
      const text = top.plain ? source.slice(top.from, found.index).trim() : '';
      elements.push({ ...element(open, top), text });
      continue;
    }
    const around = open[open.length - 1];
    if (around) around.plain = false;
    const started = { name, attributes: attributesOf(rest), from: tag.lastIndex, line, plain: true };
    if (selfClosing) elements.push({ ...element(open, started), text: '' });
    else if (open.length < DEPTH_MAX) open.push(started);
    else break;
  }
  return elements;
}

function element(
  open: readonly { name: string }[],
  { name, attributes, line }: { name: string; attributes: Map<string, string>; line: number },
): Omit<XmlElement, 'text'> {
  return { path: [...open.map((one) => one.name), name].join('/'), attributes, line };
}

function attributesOf(text: string): Map<string, string> {
  const found = text.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return new Map([...found].map((one) => [one[1]!, one[2] ?? one[3] ?? '']));
}

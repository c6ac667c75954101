/** A tag of HTML or XML; offsets are UTF-16 units. */
export interface Tag {
  /** As it is written; in HTML compare it without regard to case. */
  name: string;
  start: number;
  end: number;
  closes: boolean;
  /** `<br/>`. */
  empty: boolean;
  attributes: readonly TagAttribute[];
}

export interface TagAttribute {
  name: string;
  value: string;
  /** Of the value, without quotes. */
  start: number;
}

export interface TagRules {
  /** Elements whose content is text up to their closing tag, in small letters: `script`. */
  rawText?: ReadonlySet<string>;
  /** Names of attributes in small letters, however they are written. */
  lowerCase?: boolean;
  /** Bounds of comments go here. */
  comments: number[];
}

const ATTRIBUTES_MAX = 60;
const VALUE_UNITS_MAX = 300;

/** Calls `onTag` for each tag in order until it says false. Linear: what is not closed ends with the text. */
export function readTags(text: string, rules: TagRules, onTag: (tag: Tag) => boolean): void {
  let at = text.indexOf('<');
  while (at >= 0 && at < text.length) {
    if (text.startsWith('<!--', at)) {
      const close = text.indexOf('-->', at + 4);
      const end = close < 0 ? text.length : close + 3;
      rules.comments.push(at, end);
      at = text.indexOf('<', end);
    } else if (text.startsWith('<![CDATA[', at)) {
      const close = text.indexOf(']]>', at);
      at = close < 0 ? -1 : text.indexOf('<', close);
    } else if (/[A-Za-z_/]/.test(text[at + 1] ?? '')) {
      const tag = readTag(text, at, rules.lowerCase ?? false);
      if (!onTag(tag)) return;
      at = tag.end;
      const name = tag.name.toLowerCase();
      if (!tag.closes && !tag.empty && rules.rawText?.has(name)) at = closingTag(text, at, name);
      at = text.indexOf('<', at);
    } else at = text.indexOf('<', at + 1);
  }
}

function closingTag(text: string, from: number, name: string): number {
  for (let at = text.indexOf('</', from); at >= 0; at = text.indexOf('</', at + 2)) {
    if (text.slice(at + 2, at + 2 + name.length).toLowerCase() === name) return at;
  }
  return text.length;
}

function readTag(text: string, start: number, lowerCase: boolean): Tag {
  const closes = text[start + 1] === '/';
  let at = start + (closes ? 2 : 1);
  const nameStart = at;
  while (at < text.length && /[^\s>/<]/.test(text[at]!)) at++;
  const name = text.slice(nameStart, Math.min(at, nameStart + VALUE_UNITS_MAX));
  const attributes: TagAttribute[] = [];
  let empty = false;
  while (at < text.length && text[at] !== '>' && text[at] !== '<') {
    if (/[\s/=]/.test(text[at]!)) {
      empty = text[at] === '/';
      at++;
      continue;
    }
    empty = false;
    const attributeStart = at;
    while (at < text.length && /[^\s=>/<]/.test(text[at]!)) at++;
    // A quote alone is no name, and must not be taken for one again.
    if (at === attributeStart) at++;
    const attributeEnd = at;
    while (at < text.length && /\s/.test(text[at]!)) at++;
    if (text[at] !== '=') continue;
    at++;
    while (at < text.length && /\s/.test(text[at]!)) at++;
    let valueStart = at;
    let valueEnd: number;
    const quote = text[at];
    if (quote === '"' || quote === "'") {
      valueStart = at + 1;
      const close = text.indexOf(quote, valueStart);
      valueEnd = close < 0 ? text.length : close;
      at = close < 0 ? text.length : close + 1;
    } else {
      while (at < text.length && /[^\s>]/.test(text[at]!)) at++;
      valueEnd = at;
    }
    if (attributes.length < ATTRIBUTES_MAX) {
      const attribute = text.slice(attributeStart, Math.min(attributeEnd, attributeStart + VALUE_UNITS_MAX));
      attributes.push({
        name: lowerCase ? attribute.toLowerCase() : attribute,
        value: valueEnd - valueStart > VALUE_UNITS_MAX ? '' : text.slice(valueStart, valueEnd),
        start: valueStart,
      });
    }
  }
  const end = text[at] === '>' ? at + 1 : Math.max(at, start + 1);
  return { name, start, end, closes, empty, attributes };
}

export function attributeOf(tag: Tag, name: string): TagAttribute | null {
  return tag.attributes.find((one) => one.name === name && one.value !== '') ?? null;
}

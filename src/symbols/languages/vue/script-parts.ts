/** The text with everything but its scripts blanked out: lines and offsets stay. `frontMatter` is what Astro has between `---`. */
export function scriptParts(text: string, options: { frontMatter?: boolean } = {}): string {
  const parts: string[] = [];
  let kept = 0;
  const keep = (from: number, to: number) => {
    parts.push(blanked(text.slice(kept, from)), text.slice(from, to));
    kept = to;
  };
  if (options.frontMatter) {
    const front = text.match(/^\s*---\r?\n/);
    const end = front ? text.indexOf('\n---', front[0].length - 1) : -1;
    if (front && end >= 0) keep(front[0].length, end);
  }
  const opening = /<script\b(?:[^<>"']|"[^"]*"|'[^']*')*>/gi;
  opening.lastIndex = kept;
  for (let tag = opening.exec(text); tag; tag = opening.exec(text)) {
    const closing = /<\/script\s*>/gi;
    closing.lastIndex = opening.lastIndex;
    const end = closing.exec(text)?.index ?? text.length;
    if (!tag[0].endsWith('/>')) keep(opening.lastIndex, end);
    opening.lastIndex = Math.max(opening.lastIndex, end);
  }
  parts.push(blanked(text.slice(kept)));
  return parts.join('');
}

function blanked(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}

import { SIGN, STRING, TokenList, type Tokens } from './token-list.ts';

/** A language whose strings hold code: `#{…}`, `${…}`. */
export interface TemplateLanguage {
  /**
   * Reads the comment or token that begins at a place and gives where to go on; -1 where a sign stands there. `readText` reads a string
   * that begins at `start`, its text from `from` on, up to `mark`, its end.
   */
  read(at: number, tokens: TokenList, readText: ReadText): number;
  /** Where the text of a string ends, with its mark, or before the two characters that open code in it. */
  textEnd(from: number, mark: string): { end: number; opensCode: boolean };
}

export type ReadText = (start: number, from: number, mark: string) => number;

/** Tokens of such a language: what stands in templates is code, the rest of those with it is strings. */
export function tokenizeTemplates(text: string, language: TemplateLanguage): Tokens {
  const tokens = new TokenList(text);
  /** For each open template: how many braces are open in it, and the end of the string that it stands in. */
  const templates: { braces: number; mark: string }[] = [];
  const readText: ReadText = (start, from, mark) => {
    const { end, opensCode } = language.textEnd(from, mark);
    tokens.push(STRING, start, end);
    if (!opensCode) return end;
    templates.push({ braces: 0, mark });
    return end + 2;
  };
  for (let at = 0; at < text.length; ) {
    if (text.charCodeAt(at) <= 32) {
      at++;
      continue;
    }
    const next = language.read(at, tokens, readText);
    if (next >= 0) {
      at = next;
      continue;
    }
    const template = templates[templates.length - 1];
    const sign = text[at]!;
    at++;
    if (template && sign === '{') template.braces++;
    else if (template && sign === '}' && template.braces-- === 0) {
      templates.pop();
      at = readText(at, at, template.mark);
      continue;
    }
    tokens.push(SIGN, at - 1, at);
  }
  return tokens;
}

/**
 * Whether a line reads like source code. Rough, and on the side of caution: what a trace loses is one example to learn from, what it
 * must not gain is a line of somebody's code. Prose may name code (`parseConfig()`, `Session.refresh`, a path) and stays prose.
 */
export function looksLikeCode(line: string): boolean {
  const text = line.trim();
  if (text === '') return false;
  if (signs.some((sign) => sign.test(text))) return true;
  const words = text.split(/\s+/);
  const plain = words.filter((word) => plainWord.test(word)).length;
  if (statementStart.test(text) && plain < 5) return true;
  // Most of a sentence are words; a line that is mostly names and marks is none.
  return words.length > 2 && plain * 2 < words.length;
}

/** `parseConfig()` in a sentence is a name. */
const argumentsOfCall = /[\w\])]\([^)\s][^)]*\)|[\w\])]\([^)]*$/;
const commentStart =
  /^(?:\/\/|\/\*|\*\s|\*\/|#|--\s|<!--|"""|'''|@\w+\s*\(|<\/?\w|[+*/|&.,]\s|["'`].*["'`+]$|\w+:\s*["'`])/;
const codeEnd =
  /(?:[{}[(;\\|&=,+]|=>|\*\/|["'`]\)+|\w\)\)+|(?:^(?:for|if|while|with|elif|else|unless)\b.*):)$/;
const operators =
  /(?:=>|:=|[=!<>]=|&&|\|\||[-+*/%]=|\+\+|\$\{|\?\.|\?\?|[;{}]|\]\.|\)\.|\[\w*\]|<[\w/][^>]*>|["'`][^"'`]*["'`]\s*[,:)\]]|\w\s*=\s*\S|\s\*\w|(?:,\s*\d+){2}|^\d+,|\bis (?:not )?None\b|\bself\.|->\s*["'\w])/;
const plainWord =
  /^["'(]?[A-Za-z][a-z]*(?:['’-][a-z]+)*[)"']?[,.?!:]?$|^[A-Z]{2,6}s?[,.?!]?$|^\d{1,4}[,.?!]?$/;
const statementStart =
  /^(?:import|from\s+\S+\s+import|package|return|const|let|var|val|mut|def|class|func|function|fn|pub|public|private|protected|internal|static|final|export|using|namespace|struct|enum|interface|impl|trait|type|module|require|include|if|elif|else|end|try|catch|except|finally|raise|throw|throws|yield|await|assert|pass|break|continue|goto|switch|case|default)\b/;
/** Whatever follows: no sentence begins like that. */
const surelyStatement =
  /^(?:for\s+\w+\s+in\b|unsigned\b|SELECT\b|INSERT\b|UPDATE\b|DELETE\b|CREATE\b|ALTER\b|public\s+(?:static|class)\b)/;
const signs = [commentStart, codeEnd, operators, argumentsOfCall, surelyStatement];

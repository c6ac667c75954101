/** The first sentence of a comment that documents something, as a question that does not name it; null where it says too little. */
export function firstSentence(comment, name) {
  const plain = comment
    .replace(/^\s*(?:\/\*\*?|"""|'''|[rR]"""|\/\/[/!]?|#+|=begin|\*+\/?|@doc\s*~?[sS]?"{1,3})/gm, ' ')
    .replace(/(?:\*\/|"""|'''|-->)\s*$/gm, ' ')
    .replace(/\{@(?:link|code|linkplain|literal)\s+([^}]*)\}/g, '$1')
    .replace(/<[^>]{1,60}>/g, ' ')
    .replace(/:\w+:`~?\.?([^`]*)`/g, '$1')
    .replace(/[`*]/g, '')
    .trim();
  const [sentence] = plain.split(/\n\s*\n|\n\s*@|\n\s*#|(?<=[^.])\.(?:\s|$)/);
  const words = sentence
    .replace(new RegExp(`(?<!\\w)${name.replace(/[^\w]/g, '\\$&')}(?!\\w)(\\(\\))?`, 'g'), '')
    .replace(/\s+/g, ' ')
    .replace(/^[ ,:–-]+|[ ,:–-]+$/g, '');
  const count = words.match(/[A-Za-z]{2,}/g)?.length ?? 0;
  if (count < 5 || count > 35 || words.length > 300 || !/^[\x20-\x7e]*$/.test(words)) return null;
  if (/inherit|deprecated|todo|^see |^same as|copyright|licen[sc]e|nolint|eslint|https?:/i.test(words))
    return null;
  return words;
}

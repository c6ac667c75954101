/** A message as people are shown it. What is longer than anybody reads is cut and says so. */
export interface MessageParts {
  subject: string;
  body: string;
}

const subjectCharsMax = 4 * 1024;
const bodyCharsMax = 64 * 1024;
const cutMark = '… [cut]';

/**
 * As git's own `%s` and `%b`: the first paragraph in one line, and what follows it. Each line is looked at once, because a message
 * may be made of whatever a slow pattern dislikes most.
 */
export function messageParts(message: string): MessageParts {
  const lines = message.split('\n');
  let at = 0;
  while (at < lines.length && isBlank(lines[at]!)) at += 1;
  const subject: string[] = [];
  for (; at < lines.length && !isBlank(lines[at]!); at++) subject.push(lines[at]!.trim());
  while (at < lines.length && isBlank(lines[at]!)) at += 1;
  const body = lines.slice(at).map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  return {
    subject: cut(subject.join(' '), subjectCharsMax, ' '),
    body: cut(body.join('\n').trimEnd(), bodyCharsMax, '\n'),
  };
}

/** One line of a message, such as a blame shows beside a line. */
export function shortSubject(subject: string): string {
  return cut(subject, subjectCharsMax, ' ');
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}

function cut(text: string, charsMax: number, before: string): string {
  if (text.length <= charsMax) return text;
  // Not half of a surrogate pair at the end.
  return `${text.slice(0, charsMax).replace(/[\ud800-\udbff]$/, '')}${before}${cutMark}`;
}

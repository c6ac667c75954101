import { isLoginPassword } from './credential-urls.ts';
import { isPlaceholder } from './randomness.ts';

/** How far from the command's name its login is looked for. */
export const curlBytesMax = 240;

/** `-u`, also at the end of other short options, `--user`, `--proxy-user`; then a name and a password. */
const login =
  /\s(?:-[A-Za-z]{0,10}[uU]\s{0,4}|--(?:proxy-)?user(?:=|\s{1,4}))(["']?)([^\s:"'`$<>{}/]{1,60}):([^\s"'`$<>{}*\\|;]{4,100})/;

/** The password of `curl -u NAME:PASSWORD`, on the command's line or those that a backslash joins to it. */
export function curlLoginAfter(text: Buffer, afterCurl: number): { start: number; end: number } | null {
  const window = text.toString('latin1', afterCurl, Math.min(text.length, afterCurl + curlBytesMax));
  const [line = ''] = /^(?:[^\n\\]|\\[\s\S]?)*/.exec(window) ?? [];
  const match = login.exec(line);
  const password = match?.[3];
  if (!match || password === undefined) return null;
  if (!isLoginPassword(password) || isPlaceholder(password)) return null;
  const end = afterCurl + match.index + match[0].length;
  return { start: end - password.length, end };
}

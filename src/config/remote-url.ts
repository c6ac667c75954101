/** What is wrong with a repository's URL, or null. The text never repeats the URL's user info: it may be a credential. */
export function remoteUrlFault(
  url: string,
  { allowInsecureHttp }: { allowInsecureHttp: boolean },
): string | null {
  // git@host:owner/name: hosts read it as ssh.
  if (/^(?:[^@/:\s]+@)?[^:/@[\]\s]+:(?!\/\/)[^:\s]+$/.test(url)) return null;
  if (!URL.canParse(url)) return 'must be an https or ssh URL, or git@host:owner/name';
  const { protocol, username, password, hostname, search, hash } = new URL(url);
  if (protocol === 'file:') return 'names a folder: use a host of kind folder for it';
  if (protocol === 'http:' && !allowInsecureHttp) {
    return 'is plain http: use https, or set allowInsecureHttp for this host';
  }
  if (protocol !== 'https:' && protocol !== 'http:' && protocol !== 'ssh:') {
    return 'must be an https or ssh URL';
  }
  if (hostname === '') return 'names no server';
  if (password !== '' || (username !== '' && protocol !== 'ssh:')) {
    return 'holds a user name or password: put them into username and secret';
  }
  if (search !== '' || hash !== '') return 'must not have a query or fragment';
  return null;
}

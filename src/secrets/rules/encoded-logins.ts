/** Whether base64 holds `user:password` in printable characters. */
export function isEncodedLogin(base64: string): boolean {
  const text = Buffer.from(base64, 'base64').toString('latin1');
  const colon = text.indexOf(':');
  return colon > 0 && colon < text.length - 3 && /^[\x20-\x7e]+$/.test(text);
}

/** Takes secrets out of a text: as they are, URL-encoded, and in base64 alone or behind a user name, as basic authentication sends them. */
export function scrubSecrets(text: string, credential: { username: string; secret: string }): string {
  if (credential.secret === '') return text;
  let scrubbed = text;
  for (const form of secretForms(credential)) scrubbed = scrubbed.replaceAll(form, '[secret]');
  return scrubbed;
}

export function secretForms({ username, secret }: { username: string; secret: string }): string[] {
  const base64 = [secret, `${username}:${secret}`, `:${secret}`].map((text) =>
    Buffer.from(text).toString('base64'),
  );
  const forms = [secret, encodeURIComponent(secret), encodeURI(secret)];
  for (const form of base64)
    forms.push(form, form.replace(/=+$/, ''), form.replaceAll('+', '-').replaceAll('/', '_'));
  // The longest first, so that no part of a longer form is left behind.
  return [...new Set(forms)].filter((form) => form !== '').sort((a, b) => b.length - a.length);
}

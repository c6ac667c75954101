import type { HttpOptions } from './types.ts';

export type OriginVerdict = 'own' | 'allowed' | 'refused';

/** Whose page may call: ours (the origin is the Host that was asked, or the public URL) and those that the operator named. */
export function createOriginCheck(
  options: Pick<HttpOptions, 'publicUrl' | 'allowedOrigins'>,
): (origin: string, host: string | undefined) => OriginVerdict {
  const publicOrigin = options.publicUrl === null ? null : new URL(options.publicUrl).origin;
  const allowed = new Set(options.allowedOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
  return (origin, host) => {
    const asked = origin.toLowerCase();
    if (host !== undefined && (asked === `http://${host}` || asked === `https://${host}`)) return 'own';
    if (asked === publicOrigin) return 'own';
    return allowed.has(asked) ? 'allowed' : 'refused';
  };
}

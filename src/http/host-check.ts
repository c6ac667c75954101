import { isIP } from 'node:net';
import type { HttpOptions } from './types.ts';

export interface HostCheck {
  /** Whether a request with this Host header, met on this address of ours, was meant for us. */
  allows(host: string | undefined, localAddress: string | undefined): boolean;
}

/**
 * A page whose name is made to point at us (DNS rebinding) still sends its own name as Host. Known are: the listen address, the
 * names of this machine, the public URL and what the operator added. Listening everywhere, the address that was dialled counts too.
 */
export function createHostCheck(
  options: Pick<HttpOptions, 'host' | 'publicUrl' | 'allowedHosts'>,
): HostCheck {
  const names = new Set(['localhost', '127.0.0.1', '[::1]', bracketed(options.host)]);
  if (options.publicUrl !== null) names.add(new URL(options.publicUrl).hostname);
  for (const name of options.allowedHosts) names.add(name.toLowerCase());
  const everywhere = options.host === '0.0.0.0' || options.host === '::';
  return {
    allows(host, localAddress) {
      if (host === undefined) return false;
      const full = host.toLowerCase();
      const name = full.replace(/:\d+$/, '');
      if (names.has(name) || names.has(full)) return true;
      return everywhere && localAddress !== undefined && name === bracketed(plainAddress(localAddress));
    },
  };
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host.toLowerCase();
}

/** A socket that takes both families shows IPv4 as `::ffff:10.0.0.1`. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}

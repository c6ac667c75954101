import { lookup as dnsLookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { addressRefused, hostUnknown } from '../errors.ts';
import type { RemoteAccess } from '../types.ts';

/** A remote's address, checked. */
export interface RemoteAddress {
  /** Normalised; this and not what was written goes to git, so that both read it alike. */
  url: string;
  protocol: 'https' | 'http' | 'ssh';
  /** With the port where one is given. */
  host: string;
  hostname: string;
  port: number;
  /** What the host's name resolved to and was checked; empty for a bare address and behind a proxy, which resolves by itself. */
  addresses: readonly string[];
}

export type Lookup = (hostname: string) => Promise<string[]>;

export const systemLookup: Lookup = async (hostname) =>
  (await dnsLookup(hostname, { all: true })).map(({ address }) => address);

const defaultPorts = { https: 443, http: 80, ssh: 22 };

/**
 * Refuses what no remote of ours may be: other schemes, user info, another origin than the credential's, link-local and metadata
 * addresses. Over https the addresses found here are the ones that git then connects to; ssh resolves once more by itself, so a
 * name that changes its address within that moment is not caught there.
 */
export async function checkedAddress(
  given: string,
  access: Pick<RemoteAccess, 'origin' | 'allowInsecureHttp' | 'proxy'>,
  lookup: Lookup,
): Promise<RemoteAddress> {
  const address = parseAddress(given, access.allowInsecureHttp);
  if (originOf(address) !== originOf(parseAddress(access.origin, access.allowInsecureHttp))) {
    throw addressRefused("it is not at the host's own origin");
  }
  if (access.proxy !== null) return address;
  const written = address.hostname.replace(/^\[|\]$/g, '');
  const isName = isIP(written) === 0;
  const addresses = isName ? await resolved(address.hostname, lookup) : [written];
  for (const ip of addresses) {
    const why = refusedIp(ip, access.allowInsecureHttp);
    if (why !== null) throw addressRefused(`it leads to ${why}`);
  }
  return isName ? { ...address, addresses } : address;
}

function parseAddress(written: string, allowInsecureHttp: boolean): RemoteAddress {
  if (/[\x00-\x20\x7f\\]/.test(written) || !URL.canParse(written)) throw addressRefused('it is not a URL');
  const url = new URL(written);
  const protocol = url.protocol.slice(0, -1);
  if (protocol !== 'https' && protocol !== 'ssh' && !(protocol === 'http' && allowInsecureHttp)) {
    throw addressRefused('only https and ssh are taken');
  }
  if (url.username !== '' || url.password !== '') throw addressRefused('it holds a user name or a password');
  if (url.search !== '' || url.hash !== '') throw addressRefused('it holds a query or a fragment');
  const hostname = url.hostname.toLowerCase();
  if (!/^(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9])?\.?|\[[0-9a-f:.]+\])$/.test(hostname)) {
    throw addressRefused('its host name is malformed');
  }
  const port = url.port === '' ? defaultPorts[protocol] : Number(url.port);
  return { url: url.href, protocol, host: url.host, hostname, port, addresses: [] };
}

function originOf({ protocol, hostname, port }: RemoteAddress): string {
  return `${protocol}://${hostname}:${port}`;
}

async function resolved(hostname: string, lookup: Lookup): Promise<string[]> {
  try {
    return await lookup(hostname);
  } catch (error) {
    throw hostUnknown(hostname, error);
  }
}

const linkLocal = blocked([
  ['169.254.0.0', 16, 'ipv4'],
  ['fe80::', 10, 'ipv6'],
]);
const loopback = blocked([
  ['127.0.0.0', 8, 'ipv4'],
  ['::1', 128, 'ipv6'],
]);
/** Where clouds tell their machines who they are, and addresses that are no single host. */
const never = blocked([
  ['100.100.100.200', 32, 'ipv4'],
  ['192.0.0.192', 32, 'ipv4'],
  ['168.63.129.16', 32, 'ipv4'],
  ['fd00:ec2::254', 128, 'ipv6'],
  ['0.0.0.0', 8, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 128, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
]);

function refusedIp(written: string, allowLoopback: boolean): string | null {
  const ip = embeddedIpv4(written) ?? written;
  const family = isIP(ip) === 6 ? 'ipv6' : 'ipv4';
  if (linkLocal.check(ip, family)) return 'a link-local address';
  if (never.check(ip, family)) return 'a metadata or multicast address';
  if (!allowLoopback && loopback.check(ip, family)) return 'the server itself';
  return null;
}

/** The IPv4 address inside an IPv4-mapped or NAT64 one. */
function embeddedIpv4(ip: string): string | null {
  if (isIP(ip) !== 6) return null;
  const url = new URL(`http://[${ip.split('%')[0]}]/`);
  const groups = /^\[(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(url.hostname);
  if (!groups) return null;
  const [high, low] = [Number.parseInt(groups[1]!, 16), Number.parseInt(groups[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function blocked(
  subnets: readonly (readonly [net: string, bits: number, family: 'ipv4' | 'ipv6'])[],
): BlockList {
  const list = new BlockList();
  for (const [net, bits, family] of subnets) list.addSubnet(net, bits, family);
  return list;
}

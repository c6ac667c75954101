import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import type { Host, HostPermissions } from '../hosts/index.ts';
import type { Party } from './party.ts';

/** What a host says that a proven account may read; `unknown` is a no whose reason is kept for the administrator. */
export type ForgeGrant = { kind: 'known'; readable: ReadonlySet<string> } | { kind: 'unknown'; why: string };

/** Grants of all hosts with permissions, for the accounts of some parties, at hand for a decision that waits for nothing. */
export interface ForgeGrants {
  of(host: string, party: Party): ForgeGrant[];
  /** From then on the hosts must be asked again. */
  untilMs: number;
}

export interface ForgeGrantSource {
  /** Asks for every account of the parties, whichever repositories there are, so that the work does not tell of hidden ones. */
  load(parties: readonly Party[]): Promise<ForgeGrants>;
}

interface Kept {
  grant: ForgeGrant;
  untilMs: number;
}

const knownForMs = 60_000;
/** A host that does not answer is not asked again by every call. */
const unknownForMs = 15_000;
const accountsMax = 10_000;

export function createForgeGrants(
  hosts: ReadonlyMap<string, Host>,
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number },
): ForgeGrantSource {
  const kept = new LRUCache<string, Kept | Promise<Kept>>({ max: accountsMax });

  const grantOf = async (permissions: HostPermissions, host: string, account: string): Promise<Kept> => {
    const key = keyOf(host, account);
    const held = kept.get(key);
    if (held && (held instanceof Promise || clock.now() < held.untilMs)) return held;
    const asking = ask(permissions, account, timeoutMs).then((grant) => {
      const result = {
        grant,
        untilMs: clock.now() + (grant.kind === 'known' ? knownForMs : unknownForMs),
      };
      kept.set(key, result);
      return result;
    });
    kept.set(key, asking);
    return asking;
  };

  return {
    async load(parties) {
      const grants = new Map<string, ForgeGrant>();
      let untilMs = Number.POSITIVE_INFINITY;
      const accounts = parties.flatMap(({ forgeAccounts }) => forgeAccounts);
      await Promise.all(
        accounts.map(async ({ host, account }) => {
          const permissions = hosts.get(host)?.permissions;
          if (!permissions) return;
          const result = await grantOf(permissions, host, account);
          grants.set(keyOf(host, account), result.grant);
          untilMs = Math.min(untilMs, result.untilMs);
        }),
      );
      return {
        untilMs,
        of: (host, party) =>
          party.forgeAccounts.flatMap((proven) => {
            const grant = proven.host === host ? grants.get(keyOf(host, proven.account)) : undefined;
            return grant ? [grant] : [];
          }),
      };
    },
  };
}

function keyOf(host: string, account: string): string {
  return JSON.stringify([host, account]);
}

/** Never throws and never takes longer than its time, whatever the host does with its signal. */
async function ask(permissions: HostPermissions, account: string, timeoutMs: number): Promise<ForgeGrant> {
  const timeout = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new Error(`no answer within ${timeoutMs / 1000} s`));
        timeout.abort();
      }, timeoutMs);
    });
    const readable = await Promise.race([permissions.readableBy(account, { signal: timeout.signal }), late]);
    return { kind: 'known', readable };
  } catch (fault) {
    return { kind: 'unknown', why: fault instanceof Error ? fault.message : String(fault) };
  } finally {
    clearTimeout(timer);
  }
}

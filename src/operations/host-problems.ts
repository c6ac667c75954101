import type { HostStatus, Repository } from '../catalog/index.ts';

/** Hosts' faults, named only where the asker sees something of that host: a hidden host stays hidden, but a gap is never silent. */
export function hostProblemsFor(visible: readonly Repository[], hosts: readonly HostStatus[]): string[] {
  const failing = hosts.filter(({ problem }) => problem !== null);
  const seenHosts = new Set(visible.map(({ host }) => host));
  const named = failing
    .filter(({ host }) => seenHosts.has(host))
    .map(({ host, problem }) => `${host} cannot be asked right now: ${problem}`);
  return named.length < failing.length
    ? [...named, 'A host cannot be asked right now, so this list may lack repositories.']
    : named;
}

import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Lease, Storage } from '../storage/index.ts';

export const writerLeaseName = 'index-writer';

/** The lease of the one that writes the index, or null while another process has it. One that is surely dead has nothing. */
export function acquireWriterLease(
  storage: Storage,
  { owner, ttlMs }: { owner: string; ttlMs: number },
): Promise<Lease | null> {
  const marked = `${owner} ${JSON.stringify(ownMark())}`;
  return storage.acquireLease(writerLeaseName, {
    owner: marked,
    ttlMs,
    isDead: (other) => isDead(markOf(other)),
  });
}

/** What tells a process from all others that its machine can see, for as long as the machine runs. */
export interface ProcessMark {
  host: string;
  /** Of this start of the machine, and the numbering of processes that `pid` belongs to: each container may have its own. */
  boot: string;
  pid: number;
  /** When it was started, in the machine's own count; '' where that cannot be read. */
  started: string;
}

export function ownMark(): ProcessMark {
  return { host: hostname(), boot: bootOf(), pid: process.pid, started: lookAt(process.pid).started };
}

/** Only of a process that could be seen here: of all others nothing is known. */
export function isDead(mark: ProcessMark | null): boolean {
  if (mark === null || mark.host !== hostname() || mark.boot !== bootOf()) return false;
  try {
    process.kill(mark.pid, 0);
  } catch (error) {
    // Somebody else's process lives all the same.
    return (error as { code?: string }).code === 'ESRCH';
  }
  const { started, isZombie } = lookAt(mark.pid);
  return isZombie || (started !== '' && mark.started !== '' && started !== mark.started);
}

function markOf(owner: string): ProcessMark | null {
  try {
    return JSON.parse(owner.slice(owner.indexOf('{'))) as ProcessMark;
  } catch {
    // Of a Periscope that wrote no mark.
    return null;
  }
}

function bootOf(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    // A system without /proc: process numbers alone must do, and one that was given again counts as alive.
    return process.platform;
  }
}

/** proc(5): the third field is the state, the 22nd the start in clock ticks; the second may hold blanks and brackets. */
function lookAt(pid: number): { started: string; isZombie: boolean } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { started: fields[19] ?? '', isZombie: fields[0] === 'Z' || fields[0] === 'X' };
  } catch {
    return { started: '', isZombie: false };
  }
}

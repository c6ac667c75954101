import { statfs } from 'node:fs/promises';
import { networkFolder } from './errors.ts';

/** The magic numbers of statfs(2) for NFS, SMB, CIFS, SMB2, AFS, Ceph and Lustre. Elsewhere than on Linux they mean nothing and match nothing. */
const networkTypes = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f, 0x00c36400, 0x0bd00bd0]);

/** WAL needs memory shared between processes, which a network file system does not give. */
export async function refuseNetworkFolder(folder: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const { type } = await statfs(folder);
  if (isNetworkType(type)) throw networkFolder(folder);
}

export function isNetworkType(type: number): boolean {
  return networkTypes.has(type >>> 0);
}

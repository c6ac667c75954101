import type { Mirror } from '../mirrors/index.ts';
import type { ContentPolicy } from './types.ts';

/**
 * Keys of what is kept of a policy's view. Of decoded blobs the repository is part although the object id names the content: a tree can name a blob that its
 * repository does not hold, and git does not verify on reading that an object is what its id says. Keyed by id alone, one repository
 * could show what only another holds, or put its own bytes in the other's place.
 */
export function createCacheKeys() {
  const mirrors = numbering<Mirror>();
  const policies = numbering<ContentPolicy>();
  return {
    view: (policy: ContentPolicy): string => policy.key ?? `policy ${policies(policy)}`,
    blob: (mirror: Mirror, policy: ContentPolicy, oid: string): string =>
      `${mirrors(mirror)}:${policy.maskKey === undefined ? policies(policy) : `=${policy.maskKey}`}:${oid}`,
  };
}

function numbering<T extends object>(): (thing: T) => number {
  const numbers = new WeakMap<T, number>();
  let given = 0;
  return (thing) => {
    let number = numbers.get(thing);
    if (number === undefined) {
      number = ++given;
      numbers.set(thing, number);
    }
    return number;
  };
}

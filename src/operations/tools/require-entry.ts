import type { TreeEntry } from '../../mirrors/index.ts';
import { nearPaths } from '../addressing/locate.ts';
import { pathNotFound } from '../errors.ts';
import type { OperationContext, Target } from '../types.ts';
import { placeOf } from './place.ts';

/** The target that the handler found for an operation with `needsRepository`. */
export function requireTarget(context: Pick<OperationContext<unknown>, 'target'>): Target {
  if (!context.target) throw new Error('an operation with needsRepository was run without a target');
  return context.target;
}

/** What stands at the target's path; fails with the near names when nothing does. */
export async function requireEntry(
  context: Pick<OperationContext<unknown>, 'target' | 'content' | 'signal'>,
): Promise<{ target: Target; entry: TreeEntry }> {
  const target = requireTarget(context);
  if (target.entry) return { target, entry: target.entry };
  const { parent, near } = await nearPaths(
    context.content,
    target.mirror,
    target.revision.commit,
    target.path,
    context,
  );
  const changes = target.revision.isDefault ? await target.mirror.uncommittedChanges(context) : null;
  throw pathNotFound(placeOf(target, parent), target.path, {
    near,
    parent,
    uncommitted: changes?.changedFiles ?? 0,
  });
}

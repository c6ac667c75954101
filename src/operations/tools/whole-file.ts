import { PeriscopeError } from '../../base/errors.ts';
import type { OperationContext, Target } from '../types.ts';
import { whatItIs } from './read-file.ts';
import { requireEntry } from './require-entry.ts';

/** The text of a place, through the content door. */
export async function wholeFile(
  target: Target,
  context: Pick<OperationContext<unknown>, 'content' | 'signal'>,
): Promise<Buffer> {
  const { entry } = await requireEntry({ ...context, target });
  const document = await context.content.openEntry(target.mirror, entry, { signal: context.signal });
  if (document.kind !== 'text') throw notTextToFetch(target.path, whatItIs(document));
  const text = document.text();
  if (text === null) throw tooLargeToFetch(target.path, document.sizeBytes);
  return text;
}

export function tooLargeToFetch(path: string, sizeBytes: number): PeriscopeError {
  return new PeriscopeError(
    'too-large',
    'operations/file-too-large',
    `"${path}" has ${sizeBytes} bytes: too many to fetch whole.`,
    'Call read_file with offset and limit.',
  );
}

function notTextToFetch(path: string, whatItIs: string): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'operations/not-text',
    `"${path}" ${whatItIs}`,
    'Ask for a file of text; list_directory shows what there is.',
  );
}

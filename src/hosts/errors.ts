import { PeriscopeError } from '../base/errors.ts';

export const foldersUnreadable = (host: string, folders: readonly string[], cause: unknown): PeriscopeError =>
  new PeriscopeError(
    'unavailable',
    'hosts/folders-unreadable',
    `None of the folders of host "${host}" can be read: ${folders.join(', ')}.`,
    'Mount the folders or let the server read them; until then the repositories of the last good list are served.',
    { cause },
  );

export const stillLooking = (host: string): PeriscopeError =>
  new PeriscopeError(
    'unavailable',
    'hosts/still-looking',
    `The folders of host "${host}" have not answered an earlier look yet.`,
    'Look at the mounts below them; until they answer, the repositories of the last good list are served.',
  );

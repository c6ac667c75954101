import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { badCursor } from './errors.ts';
import type { Position } from './types.ts';

/** What a cursor holds: enough to run the call again from where it was cut. It grants nothing: the gate is passed anew. */
export interface CursorContent {
  /** The operation. */
  op: string;
  input: Record<string, unknown>;
  after: Position;
  /** The commit that the first answer was read from, so that pages never mix two states; null for operations over no repository. */
  commit: string | null;
  /** Digest of the visible repositories when the first answer was made; null where `commit` says what was read. */
  list: string | null;
}

export interface Cursors {
  seal(content: CursorContent): string;
  /** Fails with `operations/bad-cursor` for anything that `seal` did not make with this key. */
  open(cursor: string): CursorContent;
}

const VERSION = '2';
const IV_BYTES = 12;
/** 96 bits: forging one takes more calls than a server answers in its life. */
const TAG_BYTES = 12;

/**
 * `key` is the data folder's own, the same for every process that shares it. What a cursor holds can neither be changed nor read: it
 * names the generation of the index, and that grows with every push, also to what the asker may not see.
 */
export function createCursors(key: string, random: (bytes: number) => Buffer = randomBytes): Cursors {
  const secret = createHash('sha256').update(`cursor ${key}`).digest();
  return {
    seal(content) {
      const iv = random(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', secret, iv, { authTagLength: TAG_BYTES });
      const sealed = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final()]);
      return `${VERSION}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`;
    },
    open(cursor) {
      const [version, text, rest] = cursor.trim().split('.');
      if (version !== VERSION || !text || rest !== undefined) throw badCursor();
      const bytes = Buffer.from(text, 'base64url');
      if (bytes.length <= IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) throw badCursor();
      const iv = bytes.subarray(0, IV_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', secret, iv, { authTagLength: TAG_BYTES });
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const opened = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
      try {
        return JSON.parse(Buffer.concat([opened, decipher.final()]).toString('utf8')) as CursorContent;
      } catch {
        throw badCursor();
      }
    },
  };
}

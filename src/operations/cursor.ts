import { createHmac, timingSafeEqual } from 'node:crypto';
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

const VERSION = '1';
/** 96 bits: forging one takes more calls than a server answers in its life. */
const SIGNATURE_BYTES = 12;

/** `key` is the data folder's own, the same for every process that shares it. */
export function createCursors(key: string): Cursors {
  const sign = (payload: string) =>
    createHmac('sha256', key)
      .update(VERSION)
      .update(payload)
      .digest()
      .subarray(0, SIGNATURE_BYTES)
      .toString('base64url');
  return {
    seal(content) {
      const payload = Buffer.from(JSON.stringify(content)).toString('base64url');
      return `${VERSION}.${payload}.${sign(payload)}`;
    },
    open(cursor) {
      const [version, payload, signature] = cursor.trim().split('.');
      if (version !== VERSION || !payload || !signature) throw badCursor();
      const given = Buffer.from(signature);
      const wanted = Buffer.from(sign(payload));
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw badCursor();
      return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as CursorContent;
    },
  };
}

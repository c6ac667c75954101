import { parentPort } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { asPeriscopeError } from '../../base/errors.ts';
import { compileRegex, type Regex } from '../regex/regex.ts';
import { warmRegexTables } from '../regex/unicode-tables.ts';
import type { ScanDescription, ScannedText, ScanReply, ScanRequest } from './scan-messages.ts';

/** Compiled patterns of the scans that go on; an old one is compiled again when it is asked for. */
const compiled = new LRUCache<number, Regex>({ max: 8 });

warmRegexTables();
parentPort!.on('message', (request: ScanRequest) => parentPort!.postMessage(answer(request)));

function answer({ id, scan, stop, texts }: ScanRequest): ScanReply {
  try {
    const regex = regexOf(scan);
    const flag = new Int32Array(stop);
    const deadline = { expired: () => Atomics.load(flag, 0) !== 0 };
    const outcomes = texts.map((text): ScannedText => {
      if (deadline.expired()) return { lines: [], ended: 'deadline' };
      const { lines, ended } = regex.scan(text, {
        limit: scan.linesPerText,
        rangesPerLine: scan.rangesPerLine,
        deadline,
      });
      return { lines, ended };
    });
    return { id, outcomes };
  } catch (fault) {
    const { kind, code, message, next, data } = asPeriscopeError(fault);
    return { id, fault: { kind, code, message, next, options: { data } } };
  }
}

function regexOf({ key, pattern, literal, ignoreCase }: ScanDescription): Regex {
  let regex = compiled.get(key);
  if (!regex) {
    regex = compileRegex(pattern, { literal, ignoreCase });
    compiled.set(key, regex);
  }
  return regex;
}

import { PeriscopeError } from '../../base/errors.ts';
import type { Content } from '../../content/index.ts';
import type { Mirror, ReadOptions } from '../../mirrors/index.ts';
import type { FoundFile, FoundLine } from '../../search/index.ts';

/** A line as long as this is machine-made: what lies behind is not shown. */
const LINE_BYTES_READ_MAX = 1 << 16;

/**
 * The lines of a file that an index without masking found, read anew through the content door. Null when they cannot be: what has
 * not passed the door goes to nobody.
 */
export async function maskedFile(
  file: FoundFile,
  { content, mirror, lineBytesMax }: { content: Content; mirror: Mirror; lineBytesMax: number },
  options: ReadOptions,
): Promise<FoundFile | null> {
  if (file.blocks.length === 0) return file;
  try {
    const firstLine = file.blocks[0]![0]?.number ?? 1;
    const document = await content.open(mirror, file.commit, file.path, { ...options, firstLine });
    if (document.kind !== 'text' || document.text() === null) return null;
    const blocks = file.blocks.map((block) => {
      const first = block[0]?.number ?? 1;
      const { lines } = document.lines(first, block.length, LINE_BYTES_READ_MAX);
      return block.flatMap((line, index) => {
        const text = lines[index];
        return text === undefined ? [] : [maskedLine(line, text, lineBytesMax)];
      });
    });
    return { ...file, blocks };
  } catch (fault) {
    if (fault instanceof PeriscopeError && fault.kind !== 'cancelled') return null;
    throw fault;
  }
}

/** Masking keeps lengths, so ranges stay; a line that was cut is shown from its start. */
function maskedLine(line: FoundLine, text: string, lineBytesMax: number): FoundLine {
  const bytes = Buffer.from(text);
  if (!line.cut && bytes.length === Buffer.byteLength(line.text)) return { ...line, text };
  const shown = bytes.subarray(0, lineBytesMax);
  return {
    ...line,
    text: shown.toString('utf8').replace(/\uFFFD$/, ''),
    ranges: line.cut ? [] : line.ranges.filter(({ end }) => end <= shown.length),
    cut: shown.length < bytes.length,
  };
}

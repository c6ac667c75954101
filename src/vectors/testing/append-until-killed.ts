/** Appends owner after owner from the given number on, merges now and then, and says how many are kept. */
import { quantize } from '../store/quantize.ts';
import { openVectorWriter } from '../store/vector-writer.ts';

const [folder, from] = process.argv.slice(2) as [string, string];
const kind = { model: 'small', dimensions: 40, preparation: '1' };
const writer = openVectorWriter({ folder });
for (let owner = Number(from); owner < Number(from) + 10_000; owner++) {
  const vector = quantize(Float32Array.from({ length: 40 }, (_, i) => Math.sin(owner * 40 + i)));
  writer.append(
    kind,
    [0, 1, 2].map((part) => ({ owner, part, vector })),
  );
  process.stdout.write(`${owner + 1}\n`);
  if (owner % 3 === 0) writer.merge();
}

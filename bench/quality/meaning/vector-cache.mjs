import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { built } from '../../support/built.mjs';

const BATCH = 64;

/**
 * The encoder's vectors, kept in a folder by a hash of what was encoded: they depend on nothing else, and are dear. `documents` and
 * `questions` give one vector for each text.
 */
export async function openVectorCache(folder, { threads = 2, log = () => {} } = {}) {
  const { createLocalEmbedder, quantize } = await built('vectors');
  mkdirSync(folder, { recursive: true });
  const embedder = createLocalEmbedder({ files: { folder }, threads });
  const { kind } = embedder;
  const record = 20 + 4 + kind.dimensions;
  const file = path.join(folder, `${kind.model}-${kind.preparation}.vectors`);
  const known = new Map();
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  for (let at = 0; at + record <= bytes.length; at += record) keep(bytes.subarray(at, at + record));

  return {
    kind,
    async documents(texts) {
      const keys = texts.map((text) => keyOf('document', text));
      await encode(keys, texts, (batch) => embedder.embedDocuments(batch, new AbortController().signal));
      return keys.map((key) => known.get(key));
    },
    async questions(texts) {
      const keys = texts.map((text) => keyOf('question', text));
      await encode(keys, texts, (batch) =>
        Promise.all(batch.map((text) => embedder.embedQuery(text, new AbortController().signal))),
      );
      return keys.map((key) => {
        const { values, scale } = known.get(key);
        return Float32Array.from(values, (value) => value * scale);
      });
    },
    close: () => embedder.close(),
  };

  async function encode(keys, texts, embed) {
    const missing = new Map(keys.flatMap((key, at) => (known.has(key) ? [] : [[key, texts[at]]])));
    const all = [...missing];
    for (let from = 0; from < all.length; from += BATCH) {
      const batch = all.slice(from, from + BATCH);
      const vectors = await embed(batch.map(([, text]) => text));
      const records = batch.map(([key], at) => recordOf(key, quantize(vectors[at])));
      appendFileSync(file, Buffer.concat(records));
      for (const one of records) keep(one);
      if ((from / BATCH) % 16 === 0) log(`${from + batch.length} of ${all.length} encoded`);
    }
  }

  function keep(bytes) {
    known.set(bytes.toString('hex', 0, 20), {
      scale: bytes.readFloatLE(20),
      values: new Int8Array(bytes.buffer.slice(bytes.byteOffset + 24, bytes.byteOffset + record)),
    });
  }

  function recordOf(key, { values, scale }) {
    const bytes = Buffer.alloc(record);
    bytes.write(key, 0, 'hex');
    bytes.writeFloatLE(scale, 20);
    Buffer.from(values.buffer, values.byteOffset, values.length).copy(bytes, 24);
    return bytes;
  }
}

function keyOf(what, text) {
  return createHash('sha1').update(what).update(JSON.stringify(text)).digest('hex');
}

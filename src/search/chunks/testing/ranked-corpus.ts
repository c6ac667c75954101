import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { viewOf } from '../../engine/view.ts';
import type { SymbolFact } from '../../facts/types.ts';
import { type Manifest, openManifest } from '../../manifests/manifest.ts';
import type { DocumentClass } from '../../manifests/types.ts';
import { writeManifest } from '../../manifests/write-manifest.ts';
import { ChunksBuilder } from '../chunks-builder.ts';
import { ChunksReader } from '../chunks-reader.ts';
import type { KeywordGround } from '../keyword-types.ts';
import { openChunks } from '../open-chunks.ts';

export interface CorpusDocument {
  repository: number;
  path: string;
  text: string;
  class?: DocumentClass;
  language?: number;
}

/** Symbols of a text in which each is a line `def NAME` up to the next empty line. */
export function symbolsOf(text: string): SymbolFact[] {
  return [...text.matchAll(/^def (\w+)[\s\S]*?(?=\n\n|(?![\s\S]))/gm)].map((match) => {
    const start = Buffer.byteLength(text.slice(0, match.index));
    const nameStart = start + 4;
    const end = start + Buffer.byteLength(match[0]);
    const startLine = text.slice(0, match.index).split('\n').length;
    return {
      name: match[1]!,
      kind: 'function',
      nameStart,
      nameEnd: nameStart + match[1]!.length,
      start,
      end,
      signatureStart: start,
      signatureEnd: start + Buffer.byteLength(match[0].split('\n')[0]!),
      docStart: -1,
      docEnd: -1,
      nameLine: startLine,
      startLine,
      endLine: startLine + match[0].split('\n').length - 1,
      parent: -1,
      exported: true,
      type: null,
    };
  });
}

export interface CorpusOptions {
  /** Segment of each different text, by its number in the order of documents. Default: all in one. */
  segmentOf?: (text: number) => number;
  /** Segments whose texts are not cut yet. */
  pending?: readonly number[];
}

/** Documents as a thread has them: one blob for each different text, manifests by repository. */
export async function corpusOf(
  folder: string,
  documents: readonly CorpusDocument[],
  { segmentOf = () => 0, pending = [] }: CorpusOptions = {},
) {
  mkdirSync(folder, { recursive: true });
  const texts = [...new Set(documents.map(({ text }) => text))];
  const segments: string[][] = [];
  let manifestFiles = 0;
  const table = new Uint32Array(2 * texts.length + 2);
  texts.forEach((text, i) => {
    const slot = segmentOf(i);
    while (segments.length <= slot) segments.push([]);
    table[2 * (i + 1)] = slot + 1;
    table[2 * (i + 1) + 1] = segments[slot]!.push(text) - 1;
  });
  const files = segments.map((own, slot) => {
    const file = path.join(folder, `${slot}.chunks`);
    const builder = new ChunksBuilder({ file, chunksVersion: 'test', blobs: own.length });
    own.forEach((text, blob) => {
      builder.add(blob, Buffer.from(text), symbolsOf(text));
    });
    builder.finish();
    return pending.includes(slot) ? null : openChunks(file);
  });
  const repositories = [...new Set(documents.map(({ repository }) => repository))].sort((a, b) => a - b);
  const manifests = new Map<number, Manifest>();
  for (const repository of repositories)
    await publish(
      repository,
      documents.filter((document) => document.repository === repository),
    );

  return {
    /** What an asker who may see some repositories is answered from. */
    ground(visible: readonly number[]): KeywordGround {
      const shown = visible.map((repository) => manifests.get(repository)!);
      const places = files.map((_, slot) => ({ slot, blobs: segments[slot]!.length, cut: null }));
      return {
        view: viewOf(shown, { table, segments: places }),
        segments: files.map((chunks, slot) => ({ slot, chunks })),
        manifests: shown,
        table,
        reader: new ChunksReader(),
      };
    },
    /** A repository's documents from now on; their texts are among those that there were. */
    publish,
    close() {
      for (const chunks of files) chunks?.close();
    },
  };

  async function publish(repositoryId: number, own: readonly CorpusDocument[]): Promise<void> {
    const file = path.join(folder, `${repositoryId}-${++manifestFiles}.man`);
    await writeManifest(file, {
      head: {
        repositoryId,
        commit: '0'.repeat(40),
        committedMs: 0,
        policyKey: '',
        objectsBy: null,
        optedOut: 0,
      },
      rows: own.map(({ path: shown, text, class: documentClass = 0, language = 0 }) => ({
        path: shown,
        oid: String(texts.indexOf(text) + 1).padStart(40, '0'),
        blobId: texts.indexOf(text) + 1,
        skipped: null,
        class: documentClass,
        language,
        executable: false,
        maskedSpans: 0,
        interpreter: 0,
      })),
    });
    manifests.set(repositoryId, await openManifest(file));
  }
}

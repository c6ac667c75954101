import path from 'node:path';
import type { FactsEntry, FactsSummary } from '../search/index.ts';
import { UNNAMED_LANGUAGE } from './facts-messages.ts';

export function factsEntry(summary: FactsSummary, unnamed = unnamedIn(summary)): FactsEntry {
  const { file, factsVersion: version, fileBytes } = summary;
  return { file: path.basename(file), version, fileBytes, unnamed };
}

function unnamedIn({ skips }: FactsSummary): number {
  return skips.reduce((sum, { language, blobs }) => sum + (language === UNNAMED_LANGUAGE ? blobs : 0), 0);
}

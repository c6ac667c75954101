import { shownPath } from '../base/byte-path.ts';
import { PeriscopeError } from '../base/errors.ts';
import type { Mirror, ReadOptions, TreeEntry } from '../mirrors/index.ts';
import { createBlobCache } from './blob-cache.ts';
import { type BlobContent, readBlobContent } from './blob-content.ts';
import { createCacheKeys } from './cache-keys.ts';
import { messageParts, shortSubject } from './commit-message.ts';
import { decodeLines } from './decode-text.ts';
import { directoryFileBytesMax, directoryView } from './directory-view.ts';
import { entryWithoutCommit } from './errors.ts';
import type { LineIndex } from './line-index.ts';
import { isHidden, refuseHidden } from './opt-out.ts';
import { type PatchSection, patchSections } from './patch-sections.ts';
import { scanFiles } from './scan-files.ts';
import { pagedDocument, wholeDocument } from './text-document.ts';
import { loadTextPage, pageOfLine, sizeOfUnfinished, type TextPage } from './text-page.ts';
import type {
  Content,
  ContentCounters,
  ContentOptions,
  ContentPolicy,
  DecodedCommit,
  Document,
  TextDocument,
} from './types.ts';

export interface ContentDeps {
  /** What may be shown of a repository at a commit. */
  policyOf: (mirror: Mirror, commit: string) => Promise<ContentPolicy> | ContentPolicy;
}

const defaultPageBytes = 1 << 20;
/** Longer targets exist in hostile repositories alone: no file system takes them (PATH_MAX). */
const symlinkBytesMax = 4096;
/** Of a commit that is asked whether what it shows has a text. */
const comparedPatchBytesMax = 1 << 20;

/** The one door. It keeps decoded texts by repository and object id; everything else is asked of the mirror anew. */
export function createContent(
  options: ContentOptions,
  { policyOf }: ContentDeps,
): Content & { counters(): ContentCounters } {
  const limits = { wholeBytesMax: options.wholeBytesMax, pageBytes: options.pageBytes ?? defaultPageBytes };
  const blobs = createBlobCache<BlobContent | (TextPage & { kind: 'page' })>(options.cacheBytesMax);
  const policies = rememberPolicies();
  const keys = createCacheKeys();
  let blobsDecoded = 0;
  let pagesDecoded = 0;

  const content: Content & { counters(): ContentCounters } = {
    async open(mirror, commit, path, openOptions) {
      const entry = await content.entry(mirror, commit, path, openOptions);
      return content.openEntry(mirror, entry, openOptions);
    },

    async openEntry(mirror, entry, openOptions) {
      const { commit } = openOptions;
      const policy = policies.of(entry) ?? (commit === undefined ? null : await policyOf(mirror, commit));
      if (policy === null) throw entryWithoutCommit(entry.path);
      if (commit !== undefined) {
        const { path, kind } = entry;
        await refuseHidden(policy, mirror, { commit, path, kind }, openOptions);
      }
      return openEntry(mirror, entry, policy, openOptions);
    },

    async entry(mirror, commit, path, readOptions) {
      const policy = await policyOf(mirror, commit);
      await refuseHidden(policy, mirror, { commit, path }, readOptions);
      return policies.note(await mirror.entry(commit, path, readOptions), policy);
    },

    async list(mirror, commit, path, readOptions) {
      const policy = await policyOf(mirror, commit);
      await refuseHidden(policy, mirror, { commit, path, kind: 'directory' }, readOptions);
      const entries = await mirror.list(commit, path, readOptions);
      return policies.visible(entries, policy);
    },

    async walk(mirror, commit, path, walkOptions) {
      const policy = await policyOf(mirror, commit);
      await refuseHidden(policy, mirror, { commit, path, kind: 'directory' }, walkOptions);
      // Hidden entries must not use up the limit, or its being hit would tell of them.
      for (let limit = walkOptions.limit; ; limit *= 2) {
        const walked = await mirror.walk(commit, path, { ...walkOptions, limit });
        const entries = policies.visible(walked.entries, policy);
        if (!walked.complete && entries.length < walkOptions.limit && limit > 0) continue;
        return {
          entries: entries.slice(0, walkOptions.limit),
          complete: walked.complete && entries.length <= walkOptions.limit,
        };
      }
    },

    async *scan(mirror, commit, path, scanOptions) {
      const policy = await policyOf(mirror, commit);
      await refuseHidden(policy, mirror, { commit, path, kind: 'directory' }, scanOptions);
      const { signal, fileBytesMax } = scanOptions;
      const view = directoryView(policy, keys.view(policy));
      const directory = await mirror.materialise(commit, path, { signal, view });
      try {
        // Sorted before it is asked for: what is wanted may depend on what came before.
        const files = byRank(directory.files, scanOptions.rank ?? (() => 0)).filter((file) =>
          scanOptions.wants(file.path),
        );
        yield* scanFiles(files, { fileBytesMax: Math.min(fileBytesMax, directoryFileBytesMax), signal });
      } finally {
        directory.release();
      }
    },

    async history(mirror, query, readOptions) {
      const policy = await policyOf(mirror, query.commit);
      await refuseHidden(policy, mirror, query, readOptions);
      // What is hidden must not answer whether it holds a text either.
      const pickaxeCounts = policy.hidesNothing
        ? {}
        : { pickaxeCounts: (path: string) => !isHidden(policy, path) };
      const commits = await mirror.history({ ...query, ...pickaxeCounts }, readOptions);
      const shown = commits.map(
        ({ message, authorName, authorEmail, ...commit }): DecodedCommit => ({
          ...commit,
          authorName: masked(authorName, policy),
          authorEmail: masked(authorEmail, policy),
          ...messageParts(decoded(message, policy)),
        }),
      );
      // Git looks at what is masked, too: whoever asks for the beginnings of a credential must not learn which are right.
      const { pickaxe, authorContains } = query;
      const named = authorContains === undefined ? shown : shown.filter(authoredBy(authorContains));
      if (pickaxe === undefined) return named;
      const changing: DecodedCommit[] = [];
      for (const one of named) {
        const changed = { commit: one.commit, path: '', contextLines: 0, bytesMax: comparedPatchBytesMax };
        const { patch } = await mirror.diff(changed, readOptions);
        if (showsChanged(pickaxe, patch, policy)) changing.push(one);
      }
      return changing;
    },

    async diff(mirror, query, readOptions) {
      const policy = await policyOf(mirror, query.commit);
      await refuseHidden(policy, mirror, query, readOptions);
      const { patch, truncated, files } = await mirror.diff(query, readOptions);
      // Half a line may be half a credential, which no rule would know.
      const whole = truncated ? patch.subarray(0, patch.lastIndexOf(0x0a) + 1) : patch;
      const sections = patchSections(whole);
      const isShown = ({ paths }: PatchSection) =>
        paths.length > 0 && !paths.some((one) => isHidden(policy, one));
      // A rename out of a hidden path is hidden under its new name too: its patch would tell the old content.
      const hiddenHere = new Set(sections.filter((one) => !isShown(one)).flatMap(({ paths }) => paths));
      return {
        patch: decoded(Buffer.concat(sections.filter(isShown).map(({ bytes }) => bytes)), policy),
        truncated,
        files: files
          .filter(({ path }) => !isHidden(policy, path) && !hiddenHere.has(path))
          .map((file) => ({ ...file, path: masked(file.path, policy) })),
      };
    },

    async blame(mirror, query, readOptions) {
      const policy = await policyOf(mirror, query.commit);
      await refuseHidden(policy, mirror, query, readOptions);
      const lines = await mirror.blame(query, readOptions);
      return lines.map((line) => ({
        ...line,
        authorName: masked(line.authorName, policy),
        originalPath: masked(isHidden(policy, line.originalPath) ? query.path : line.originalPath, policy),
        summary: shortSubject(decoded(line.summary, policy)),
      }));
    },

    shownPath(entry) {
      const policy = policies.of(entry);
      return policy === null ? entry.path : masked(entry.path, policy);
    },

    counters: () => ({
      blobsDecoded,
      pagesDecoded,
      cacheHits: blobs.hits,
      cacheEntries: blobs.entries,
      cacheBytes: blobs.bytes,
    }),
  };
  return content;

  async function openEntry(
    mirror: Mirror,
    entry: TreeEntry,
    policy: ContentPolicy,
    openOptions: ReadOptions & { firstLine?: number },
  ): Promise<Document> {
    const { path, oid, kind } = entry;
    if (kind === 'directory') return { kind, path };
    if (kind === 'submodule') return { kind, path, commit: oid };
    if (kind === 'symlink') {
      return { kind, path, oid, target: await symlinkTarget(mirror, oid, policy, openOptions) };
    }
    const blob = await blobOf(mirror, oid, policy, openOptions);
    const named = { path, oid, executable: kind === 'executable' };
    switch (blob.kind) {
      case 'text':
        return wholeDocument(named, blob);
      case 'paged':
        return openPaged(mirror, named, blob.index, policy, openOptions);
      case 'binary':
        return { kind: 'binary', path, oid, sizeBytes: blob.sizeBytes };
      case 'lfs-pointer': {
        const { sizeBytes, lfsOid, lfsSizeBytes } = blob;
        return { kind: 'lfs-pointer', path, oid, sizeBytes, lfsOid, lfsSizeBytes };
      }
    }
  }

  async function blobOf(
    mirror: Mirror,
    oid: string,
    policy: ContentPolicy,
    readOptions: ReadOptions,
  ): Promise<BlobContent> {
    const key = keys.blob(mirror, policy, oid);
    const cached = blobs.get(key);
    if (cached !== undefined && cached.kind !== 'page') return cached;
    const blob = await readBlobContent(mirror, oid, limits, (text) => policy.mask(text), readOptions);
    blobsDecoded += 1;
    blobs.set(key, blob);
    return blob;
  }

  async function openPaged(
    mirror: Mirror,
    named: { path: string; oid: string; executable: boolean },
    index: LineIndex,
    policy: ContentPolicy,
    { signal, firstLine = 1 }: ReadOptions & { firstLine?: number },
  ): Promise<TextDocument> {
    const read = (start: number, end: number) => mirror.blobRange(named.oid, { start, end }, { signal });
    const pageNumber = await pageOfLine(index, firstLine, read);
    if (pageNumber === null) return pagedDocument(named, index, null);
    const key = `${keys.blob(mirror, policy, named.oid)}:${pageNumber}`;
    const cached = blobs.get(key);
    let page = cached?.kind === 'page' ? cached : null;
    if (page === null) {
      const loaded = await loadTextPage(index, pageNumber, read, (text) => policy.mask(text));
      page = { kind: 'page', ...loaded };
      pagesDecoded += 1;
      blobs.set(key, page);
    }
    const { unfinished } = page;
    if (unfinished !== null && unfinished.line === firstLine && unfinished.sizeBytes === null) {
      unfinished.sizeBytes = await sizeOfUnfinished(index, unfinished, read);
    }
    return pagedDocument(named, index, page);
  }

  async function symlinkTarget(
    mirror: Mirror,
    oid: string,
    policy: ContentPolicy,
    { signal }: ReadOptions,
  ): Promise<string> {
    const target = await mirror.blob(oid, { signal, bytesMax: symlinkBytesMax }).catch((error: unknown) => {
      if (!(error instanceof PeriscopeError) || error.kind !== 'too-large') throw error;
      return mirror.blobRange(oid, { start: 0, end: symlinkBytesMax }, { signal });
    });
    const shown = Buffer.from(shownPath(target));
    policy.mask(shown);
    return shown.toString('utf8');
  }
}

/** Under which policy an entry was given out. */
function rememberPolicies() {
  const byEntry = new WeakMap<TreeEntry, ContentPolicy>();
  return {
    of: (entry: TreeEntry): ContentPolicy | null => byEntry.get(entry) ?? null,
    note(entry: TreeEntry, policy: ContentPolicy): TreeEntry {
      byEntry.set(entry, policy);
      return entry;
    },
    visible(entries: readonly TreeEntry[], policy: ContentPolicy): TreeEntry[] {
      const visible = entries.filter((entry) => !isHidden(policy, entry.path, entry.kind));
      for (const entry of visible) byEntry.set(entry, policy);
      return visible;
    },
  };
}

/** A name, which is told in one piece. */
function masked(name: string, policy: ContentPolicy): string {
  const text = Buffer.from(name);
  return policy.mask(text) === 0 ? name : text.toString('utf8');
}

function authoredBy(text: string): (commit: DecodedCommit) => boolean {
  const wanted = text.toLowerCase();
  return ({ authorName, authorEmail }) => `${authorName} <${authorEmail}>`.toLowerCase().includes(wanted);
}

/** Whether a patch, as it is shown, adds or removes lines with a text; where nothing of it is masked git's word for it counts. */
function showsChanged(text: string, patch: Buffer, policy: ContentPolicy): boolean {
  const shown = Buffer.from(decodeLines(patch));
  if (policy.mask(shown) === 0) return true;
  const changed = shown
    .toString('utf8')
    .split('\n')
    .filter((line) => /^[+-]/.test(line));
  return text.split('\n').every((part) => changed.some((line) => line.includes(part, 1)));
}

function decoded(bytes: Buffer, policy: ContentPolicy): string {
  const text = Buffer.from(decodeLines(bytes));
  policy.mask(text);
  return text.toString('utf8');
}

/** Lowest rank first, by path within a rank. */
function byRank<F extends { path: string }>(files: readonly F[], rank: (path: string) => number): F[] {
  return files
    .map((file) => ({ file, rank: rank(file.path) }))
    .sort((one, other) => one.rank - other.rank || (one.file.path < other.file.path ? -1 : 1))
    .map(({ file }) => file);
}

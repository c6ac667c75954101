import type { Repository } from '../catalog/index.ts';
import type { RepositoryPolicy } from '../content/index.ts';
import type { Mirror, ResolvedRevision } from '../mirrors/index.ts';
import {
  documentClass,
  languageOf,
  type Manifest,
  type RevisionEntry,
  type SkipReason,
} from '../search/index.ts';
import type { BlobFacts, BlobTable } from './blob-table.ts';
import { credentialPaths } from './credential-paths.ts';
import { twinOf } from './plan-twin.ts';
import type { PlannedBlob, PlannedRow, RepositoryPlan, RevisionPlan } from './plan-types.ts';
import { isShared } from './shared-blobs.ts';

export interface PlanContext {
  blobs: BlobTable;
  openManifest(entry: RevisionEntry): Promise<Manifest>;
  /** What is published in this moment, of all repositories. */
  published(): readonly RevisionEntry[];
  newBlobId(): number;
  /** Keeps a text in the index until what refers to it is published. */
  pin(blobId: number): void;
  fileBytesMax: number;
  /** Blobs that this group reads already, by object id. */
  groupBlobs: Map<string, PlannedBlob>;
  signal: AbortSignal;
}

export interface RevisionWanted {
  revision: string;
  kind: RevisionEntry['kind'];
  isDefault: boolean;
  commit: string;
}

const walkLimits = { depthMax: 4096, limit: 20_000_000 };

/** What has to be done so that the wanted revisions are searchable, of what is indexed of the repository as little as possible. */
export async function planRepository(
  subject: { repository: Repository; mirror: Mirror; policy: RepositoryPolicy },
  wanted: readonly RevisionWanted[],
  entries: readonly RevisionEntry[],
  context: PlanContext,
): Promise<RepositoryPlan> {
  const { repository, mirror, policy } = subject;
  const kept: RevisionEntry[] = [];
  const missing: RevisionWanted[] = [];
  for (const revision of wanted) {
    const standing = entries.find(
      ({ head }) => head.commit === revision.commit && head.policyKey === policy.key && !isUnfinished(head),
    );
    const { kind, isDefault } = revision;
    if (standing) kept.push({ ...standing, revision: revision.revision, kind, isDefault });
    else missing.push(revision);
  }
  const plan: Mutable = {
    repository,
    mirror,
    policy,
    blobs: [],
    awaited: new Set(),
    shared: new Set(),
    bytes: 0,
  };
  const derived: RevisionPlan[] = [];
  if (missing.length > 0) {
    const objectsBy = await mirror.objectsBy({ signal: context.signal });
    const toList: RevisionWanted[] = [];
    for (const revision of missing) {
      const like = await likeAnother(plan, revision, objectsBy, context);
      if (like === null) toList.push(revision);
      else derived.push(like);
    }
    const known = toList.length === 0 ? null : await knownFacts(entries, context);
    for (const revision of toList) {
      const before = known!.manifests.get(revision.revision) ?? [...known!.manifests.values()][0] ?? null;
      derived.push(await planRevision(plan, revision, { objectsBy, facts: known!.facts, before }, context));
    }
  }
  return {
    repository,
    headCommit: wanted.find(({ isDefault }) => isDefault)?.commit ?? null,
    kept,
    derived,
    blobs: plan.blobs,
    awaited: [...plan.awaited],
    shared: plan.shared,
    bytes: plan.bytes,
  };
}

/** What may be there by the next time: it is looked at again. */
function isUnfinished({ skippedCounts }: RevisionEntry['head']): boolean {
  return (skippedCounts.pending ?? 0) > 0;
}

interface Mutable {
  repository: Repository;
  mirror: Mirror;
  policy: RepositoryPolicy;
  blobs: PlannedBlob[];
  awaited: Set<PlannedBlob>;
  shared: Set<BlobFacts>;
  bytes: number;
}

interface KnownOfRepository {
  objectsBy: string | null;
  /** Of blobs that this repository is known to hold. */
  facts: Map<string, BlobFacts>;
  before: Manifest | null;
}

async function knownFacts(entries: readonly RevisionEntry[], context: PlanContext) {
  const facts = new Map<string, BlobFacts>();
  const manifests = new Map<string, Manifest>();
  for (const entry of entries) {
    const manifest = await context.openManifest(entry);
    manifests.set(entry.revision, manifest);
    for (let row = 0; row < manifest.rows; row++) {
      const skipped = manifest.skipped(row);
      if (skipped !== null && !isLasting(skipped)) continue;
      const oid = manifest.oid(row);
      if (!facts.has(oid)) facts.set(oid, factsOf(manifest, row));
    }
  }
  return { facts, manifests };
}

function isLasting(reason: SkipReason): boolean {
  return reason !== 'pending' && reason !== 'missing' && reason !== 'unreadable';
}

function factsOf(manifest: Manifest, row: number): BlobFacts {
  const { blobId, skipped, maskedSpans, interpreter } = manifest.row(row);
  return { blobId, skipped, maskedSpans, interpreter };
}

/** Null where the revision has to be listed. */
async function likeAnother(
  { repository, mirror, policy }: Mutable,
  wanted: RevisionWanted,
  objectsBy: string | null,
  context: PlanContext,
): Promise<RevisionPlan | null> {
  // What of a visited revision others have brought counts as not there yet.
  if (wanted.kind !== 'branch') return null;
  const { committedMs, tree } = await mirror.commit(wanted.commit, { signal: context.signal });
  const twin = await twinOf({ repositoryId: repository.id, mirror, policy, tree, objectsBy }, context);
  if (twin === null) return null;
  return { ...wanted, committedMs, tree, policyKey: policy.key, objectsBy, documents: { twin } };
}

async function planRevision(
  plan: Mutable,
  wanted: RevisionWanted,
  known: KnownOfRepository,
  context: PlanContext,
): Promise<RevisionPlan> {
  const { mirror, policy, repository } = plan;
  const { signal } = context;
  const { committedMs, tree } = await mirror.commit(wanted.commit, { signal });
  const { entries } = await mirror.walk(wanted.commit, '', { signal, ...walkLimits });
  const rowsBefore = rowsByPath(known.before);
  const rows: PlannedRow[] = [];
  const unsized: { path: string; oid: string; executable: boolean }[] = [];
  let optedOut = 0;
  const named = credentialPaths(
    entries.map(({ path }) => path),
    policy,
  );
  let credentialNames = 0;
  for (const { path, kind, oid } of entries) {
    if (kind !== 'file' && kind !== 'executable') continue;
    if (!policy.hidesNothing && policy.optedOut(path)) {
      optedOut += 1;
      continue;
    }
    if (named.has(path)) {
      credentialNames += 1;
      continue;
    }
    const executable = kind === 'executable';
    const rowBefore = rowsBefore.get(path);
    const facts = known.facts.get(oid);
    if (facts === undefined || rowBefore === undefined || known.before!.oid(rowBefore) !== oid) {
      unsized.push({ path, oid, executable });
      continue;
    }
    const language = languageOf(path);
    context.pin(facts.blobId);
    rows.push({ path, oid, class: known.before!.classOf(rowBefore), language, executable, facts });
  }
  await planUnsized();
  const { key: policyKey } = policy;
  const documents = { optedOut, credentialNames, rows };
  return { ...wanted, committedMs, tree, policyKey, objectsBy: known.objectsBy, documents };

  async function planUnsized(): Promise<void> {
    let at = 0;
    const sizes = mirror.blobs(
      unsized.map(({ oid }) => oid),
      { signal, bytesMax: 0 },
    );
    for await (const { sizeBytes, damaged } of sizes) {
      const { path, oid, executable } = unsized[at]!;
      at += 1;
      const documentClassOfIt = documentClass(path, sizeBytes ?? 0);
      const facts =
        sizeBytes === null
          ? skippedFacts(damaged ? 'unreadable' : 'missing')
          : factsOfSized({ path, oid, sizeBytes, class: documentClassOfIt });
      context.pin(facts.blobId);
      rows.push({ path, oid, class: documentClassOfIt, language: languageOf(path), executable, facts });
    }
  }

  function factsOfSized(file: Pick<PlannedBlob, 'path' | 'oid' | 'sizeBytes' | 'class'>): BlobFacts {
    const own = known.facts.get(file.oid);
    if (own) return own;
    if (file.sizeBytes > context.fileBytesMax) return skippedFacts('too-large');
    const inGroup = context.groupBlobs.get(file.oid);
    if (inGroup && (inGroup.repositoryId === repository.id || isShared(inGroup.origin, known.objectsBy))) {
      if (inGroup.repositoryId !== repository.id) plan.awaited.add(inGroup);
      return inGroup.facts;
    }
    const indexed = context.blobs.find(file.oid);
    if (indexed && isShared(indexed.origin, known.objectsBy)) {
      const { origin: _, ...facts } = indexed;
      known.facts.set(file.oid, facts);
      plan.shared.add(facts);
      return facts;
    }
    return read(file, indexed);
  }

  function read(
    file: Pick<PlannedBlob, 'path' | 'oid' | 'sizeBytes' | 'class'>,
    indexed: BlobFacts | null,
  ): BlobFacts {
    const facts: BlobFacts = {
      blobId: indexed?.blobId ?? context.newBlobId(),
      skipped: indexed?.skipped ?? null,
      maskedSpans: indexed?.maskedSpans ?? 0,
      interpreter: indexed?.interpreter ?? 0,
    };
    const planned: PlannedBlob = {
      oid: file.oid,
      sizeBytes: file.sizeBytes,
      class: file.class,
      path: file.path,
      repositoryId: repository.id,
      mirror,
      // What was fetched was verified by git as it came.
      verify: known.objectsBy !== 'mirror',
      origin: known.objectsBy ?? `repository ${repository.id}`,
      known: indexed,
      facts,
      state: 'planned',
    };
    plan.blobs.push(planned);
    plan.bytes += file.sizeBytes;
    known.facts.set(file.oid, facts);
    if (indexed === null) context.groupBlobs.set(file.oid, planned);
    return facts;
  }
}

function skippedFacts(skipped: SkipReason): BlobFacts {
  return { blobId: 0, skipped, maskedSpans: 0, interpreter: 0 };
}

function rowsByPath(manifest: Manifest | null): Map<string, number> {
  const rows = new Map<string, number>();
  for (let row = 0; row < (manifest?.rows ?? 0); row++) rows.set(manifest!.path(row), row);
  return rows;
}

/** The default branch, and further branches that are kept. */
export async function wantedRevisions(
  mirror: Mirror,
  isKept: ((branch: string) => boolean) | null,
  signal: AbortSignal,
): Promise<RevisionWanted[]> {
  const resolved: ResolvedRevision = await mirror.resolve(undefined, { signal });
  const wanted: RevisionWanted[] = [
    { revision: resolved.revision, kind: 'branch', isDefault: true, commit: resolved.commit },
  ];
  if (isKept === null) return wanted;
  for (const { name, kind, commit } of await mirror.refs({ signal })) {
    if (kind !== 'branch' || name === resolved.revision || !isKept(name)) continue;
    wanted.push({ revision: name, kind: 'branch', isDefault: false, commit });
  }
  return wanted;
}

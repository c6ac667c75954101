/** What the writer knows of one repository besides what is published. */
export interface RepositoryRecord {
  readonly id: number;
  /** In work: from its planning to its publication. */
  isBusy: boolean;
  /** Something came while it was in work: it is looked at again. */
  again: boolean;
  isEmpty: boolean;
  headCommit: string | null;
  /** Of a mirror: grows when its references moved. */
  refsGeneration: number;
  /** How a folder's references looked when nothing had changed. */
  refsStamp: string | null;
  /** Why it could not be indexed the last time. */
  problem: string | null;
  failures: number;
  retryAtMs: number;
}

const retryFirstMs = 5000;
const retryMostMs = 600_000;

export class RepositoryRecords {
  readonly #records = new Map<number, RepositoryRecord>();

  of(id: number): RepositoryRecord {
    let record = this.#records.get(id);
    if (record === undefined) {
      record = {
        id,
        isBusy: false,
        again: false,
        isEmpty: false,
        headCommit: null,
        refsGeneration: -1,
        refsStamp: null,
        problem: null,
        failures: 0,
        retryAtMs: 0,
      };
      this.#records.set(id, record);
    }
    return record;
  }

  peek(id: number): RepositoryRecord | undefined {
    return this.#records.get(id);
  }

  succeeded(id: number, headCommit: string | null): void {
    Object.assign(this.of(id), {
      isEmpty: headCommit === null,
      headCommit,
      problem: null,
      failures: 0,
      retryAtMs: 0,
    });
  }

  /** `isTheirs`: the repository is at fault, and each further attempt waits for longer. */
  failed(id: number, problem: string, nowMs: number, { isTheirs } = { isTheirs: true }): void {
    const record = this.of(id);
    record.problem = problem;
    if (!isTheirs) record.failures = 0;
    record.retryAtMs = nowMs + Math.min(retryMostMs, retryFirstMs * 2 ** record.failures);
    record.failures += 1;
  }

  /** Whose next attempt is due. */
  due(nowMs: number): number[] {
    return [...this.#records.values()]
      .filter(({ retryAtMs, isBusy }) => retryAtMs > 0 && retryAtMs <= nowMs && !isBusy)
      .map(({ id }) => id);
  }

  keep(ids: ReadonlySet<number>): void {
    for (const id of this.#records.keys()) if (!ids.has(id)) this.#records.delete(id);
  }
}

import { damagedFileOf, noteDamage } from '../index-folder/damage-notes.ts';

/** Files of one kind that lie beside segments (facts, chunks), as a thread has them open. */
export class BesideFiles<Handle extends { readonly file: string }, Open extends { close(): void }> {
  readonly #attach: (handle: Handle) => Open;
  /** Of all, whether they could be opened here or not. */
  readonly #handles = new Map<string, Handle>();
  readonly #open = new Map<string, Open>();

  constructor(attach: (handle: Handle) => Open) {
    this.#attach = attach;
  }

  take(sent: { file: string; handle: Handle | null } | null): void {
    if (sent?.handle) this.#handles.set(sent.file, sent.handle);
  }

  /** Null where there are none, or none that can be opened now: it is tried again with the next question. */
  open(file: string | undefined): Open | null {
    const known = this.#open.get(file ?? '');
    if (known) return known;
    const handle = this.#handles.get(file ?? '');
    if (!handle) return null;
    try {
      const open = this.#attach(handle);
      this.#open.set(file!, open);
      return open;
    } catch (error) {
      if (damagedFileOf(error) !== null) noteDamage(handle.file);
      return null;
    }
  }

  keepOnly(wanted: ReadonlySet<string>): void {
    for (const file of this.#handles.keys()) {
      if (wanted.has(file)) continue;
      this.#handles.delete(file);
      this.#open.get(file)?.close();
      this.#open.delete(file);
    }
  }
}

/** Why a repository that was seen is left out of the list, and what to do: it becomes a problem of the listing. */
export class Unservable extends Error {
  readonly next: string;

  constructor(why: string, next: string) {
    super(why);
    this.next = next;
  }
}

export interface MentionJson {
  /** `owner/name`, unique among the ones that the asker may read. */
  name: string;
  host: string;
  defaultBranch: string | null;
  /** What to put into the message: `@repo:owner/name`. */
  insert: string;
}

export interface MentionsJson {
  mentions: MentionJson[];
  /** Why the list may be short or empty, else null. */
  reason: string | null;
}

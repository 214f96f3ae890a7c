import type { Message, RecipientCard, ThreadCard } from "./lib/types";

/** A thread with Theo in which the reader can write. */
export const threadCard = (changes: Partial<ThreadCard> = {}): ThreadCard => ({
  id: "t1",
  guru: null,
  side: "person",
  other: { name: "Theo Barnes", photoUrl: "", handle: "theo-barnes" },
  last: { preview: "See you then", kind: "text", at: "2026-11-25T17:00:00Z", mine: false },
  number: 1,
  unread: 0,
  muted: false,
  archived: false,
  request: false,
  blocked: "no",
  canWrite: true,
  refusal: null,
  ...changes,
});

/** A message from Theo. */
export const message = (changes: Partial<Message> = {}): Message => {
  const number = changes.number ?? 1;
  return {
    threadId: "t1",
    number,
    id: `m${number}`,
    kind: "text",
    mine: false,
    body: `Message ${number}`,
    event: null,
    files: [],
    at: new Date(Date.UTC(2026, 10, 25, 17, number)).toISOString(),
    removed: false,
    idempotencyKey: null,
    ...changes,
  };
};

/** Theo, to whom the reader has not written yet. */
export const recipient = (changes: Partial<RecipientCard> = {}): RecipientCard => ({
  threadId: null,
  other: { name: "Theo Barnes", photoUrl: "", handle: "theo-barnes" },
  guru: null,
  about: "",
  canWrite: true,
  refusal: null,
  ...changes,
});

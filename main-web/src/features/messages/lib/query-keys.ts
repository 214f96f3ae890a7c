import type { Box, Recipient, Side } from "./types";

/** The keys of what is cached. Each begins with the user, so that another user of this browser sees none of it. */
export const messageKeys = {
  all: (userId: string) => ["messages", userId] as const,
  state: (userId: string) => ["messages", userId, "state"] as const,
  lists: (userId: string) => ["messages", userId, "threads"] as const,
  threads: (userId: string, side: Side, box: Box) => ["messages", userId, "threads", side, box] as const,
  thread: (userId: string, id: string) => ["messages", userId, "thread", id] as const,
  texts: (userId: string, id: string) => ["messages", userId, "texts", id] as const,
  recipient: (userId: string, { kind, id }: Recipient) => ["messages", userId, "recipient", kind, id] as const,
  blocks: (userId: string) => ["messages", userId, "blocks"] as const,
};

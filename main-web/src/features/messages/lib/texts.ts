import type { RecipientCard, SessionEvent, ThreadCard } from "./types";

export const MAX_BODY_LENGTH = 4000;
/** From this length on, the composer counts. */
export const COUNTED_FROM = 3600;
/** For file inputs; the server decides by the content. */
export const ACCEPTED_FILES = "image/*,.heic,.heif,.pdf,.docx,.xlsx,.txt,.csv,text/plain";
export const MAX_FILES = 5;
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

const EVENTS: Record<string, string> = {
  booked: "Session booked",
  requested: "Session requested",
  accepted: "Session confirmed",
  declined: "Request declined",
  moved: "Session moved",
  canceled: "Session canceled",
  completed: "Session done",
};

/** What happened to a session, for its card between the messages. */
export const eventTitle = ({ type }: SessionEvent) => EVENTS[type] ?? "Session changed";

/** The first word of a name, for sentences; a guru's name stays whole. */
export function shortName({ guru, other }: Pick<ThreadCard | RecipientCard, "guru" | "other">): string {
  if (guru) return other.name;
  return other.name.trim().split(/\s+/)[0] || "this neighbor";
}

/** Format a size in bytes as "12 KB" or "3.4 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

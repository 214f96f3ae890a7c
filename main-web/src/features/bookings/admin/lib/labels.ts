import type { BookedSessionEvent } from "./types";
import { formatSessionStart } from "@porchlight/shared/format/session-times";

export const STATUS_LABELS = {
  requested: "Requested",
  confirmed: "Confirmed",
  completed: "Completed",
  missed: "Missed",
  canceled: "Canceled",
  declined: "Declined",
};

const EVENT_LABELS: Record<string, string> = {
  ...STATUS_LABELS,
  proposed: "New time proposed",
  proposal_withdrawn: "Proposed time withdrawn",
  proposal_expired: "Proposed time expired without an answer",
  proposal_lapsed: "Proposed time accepted too late",
  clocks_changed: "Kept at its local time under new clock rules",
  place_changed: "Place changed",
  answers_changed: "Answers changed",
};
const ACTORS: Record<string, string> = { person: "the person", guru: "the guru", staff: "staff" };

/** Describe an entry of a session's history: "Canceled by the guru". What happens by itself has no actor. */
export function describeEvent(event: BookedSessionEvent, zone: string): string {
  const what =
    event.event === "moved" && event.movedFrom && event.movedTo
      ? `Moved from ${formatSessionStart(event.movedFrom, zone)} to ${formatSessionStart(event.movedTo, zone)}`
      : (EVENT_LABELS[event.event] ?? event.event.charAt(0).toUpperCase() + event.event.slice(1));
  const actor = ACTORS[event.actor];
  return actor ? `${what} by ${actor}` : what;
}

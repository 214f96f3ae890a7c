import type { CalendarEvent } from "@/lib/calendar-links";
import type { Exchange, ExchangePlace } from "./types";
import {
  formatSession,
  formatSessionStart,
  formatViewerTime,
  viewerZone,
  zoneName,
} from "@porchlight/shared/format/session-times";

type Tone = "good" | "neutral" | "warning" | "danger";
type Status = Exchange["status"];

const BADGES: Record<Status, { label: string; tone: Tone }> = {
  asked: { label: "Asked", tone: "warning" },
  countered: { label: "New times proposed", tone: "warning" },
  confirmed: { label: "Agreed", tone: "good" },
  declined: { label: "Declined", tone: "neutral" },
  canceled: { label: "Canceled", tone: "neutral" },
  expired: { label: "Expired", tone: "neutral" },
  completed: { label: "Completed", tone: "neutral" },
};

const TIME_BADGES: Record<Exchange["time"]["state"], { label: string; tone: Tone } | null> = {
  "": null,
  recorded: { label: "Time recorded", tone: "warning" },
  settled: { label: "Settled", tone: "good" },
  unsettled: { label: "Not settled", tone: "neutral" },
  reversed: { label: "Taken back", tone: "neutral" },
};

/** The badge of an exchange: its state, or that it is the reader's turn. */
export function statusBadge({ status, canAnswer, time, side }: Exchange): { label: string; tone: Tone } {
  if (canAnswer) return { label: "Your answer", tone: "warning" };
  if (time.canRecord) return { label: "Record the time", tone: "warning" };
  if (time.canAnswer) return { label: "Is this right?", tone: "warning" };
  if (time.canReverse && time.reversalBy !== "" && time.reversalBy !== side) {
    return { label: "Your answer", tone: "warning" };
  }
  return TIME_BADGES[time.state] ?? BADGES[status];
}

/** The session's name, which a deleted listing no longer has. */
export const skillName = ({ skill }: Exchange) => skill || "Session";

/** A name inside a sentence: the product's own for someone without one begins with a small letter there. */
export const insideName = (name: string) => (/^A (former )?neighbor$/.test(name) ? name.replace(/^A/, "a") : name);

/** Who teaches whom. */
export const roleText = ({ side, neighbor }: Exchange) =>
  side === "teacher" ? `You teach ${insideName(neighbor.name)}` : `${neighbor.name} teaches you`;

/** Where the two meet, from the reader's side. */
export function placeText(place: ExchangePlace, side: Exchange["side"], name: string): string {
  if (place === "online") return "Online";
  if (place === "agreed") return "To be agreed";
  return place === side ? "At your place" : `At ${insideName(name)}'s place`;
}

/** A time in the reader's zone, with the other one's clock beside it where that differs and is known. */
export function timeText(startsAt: string, endsAt: string, exchange: Exchange): { time: string; other: string } {
  const own = viewerZone();
  const theirs = exchange.side === "teacher" ? exchange.learnerZone : exchange.teacherZone;
  const time = formatSession(startsAt, endsAt, own);
  const other = theirs === "" ? "" : formatViewerTime(startsAt, own, theirs).replace(/ your time$/, "");
  return { time, other: other && `${other} ${zoneName(startsAt, theirs)} for ${insideName(exchange.neighbor.name)}` };
}

/** What happens now, or what happened, as one sentence. */
export function stateText(exchange: Exchange): string {
  const { status, neighbor, endedBy, side, canAnswer, expiresAt, time, mode } = exchange;
  const until = expiresAt ? ` until ${formatSessionStart(expiresAt, viewerZone())}` : "";
  const isOwn = endedBy === side;
  switch (status) {
    case "asked":
    case "countered":
      return canAnswer ? `You can answer${until}.` : `${neighbor.name} can answer${until}.`;
    case "confirmed":
      return "You two agreed on this time.";
    case "declined":
      return isOwn ? "You declined." : `${neighbor.name} declined.`;
    case "canceled":
      return isOwn ? "You canceled this." : `${neighbor.name} canceled this.`;
    case "expired":
      return "There was no answer in time, so the request ended.";
    case "completed":
      return time.state === "settled" && time.minutes === 0
        ? "This session didn't take place."
        : mode === "direct" || time.state === "settled"
          ? "This session took place."
          : "This session is over.";
  }
}

/** An agreed session as an event for calendars, as in our calendar file. */
export function calendarEvent(exchange: Exchange): CalendarEvent {
  const { startsAt, endsAt, place, side, neighbor } = exchange;
  return {
    title: `${skillName(exchange)} with ${neighbor.name}`,
    startsAt: startsAt ?? "",
    endsAt: endsAt ?? "",
    location: placeText(place, side, neighbor.name),
    details: `To cancel this session, open it on Porchlight: ${window.location.href}`,
  };
}

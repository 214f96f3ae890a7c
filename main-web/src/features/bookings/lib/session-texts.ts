import type { BookedSession, Hold, SessionFacts } from "./types";
import {
  formatClock,
  formatSession,
  formatSessionStart,
  formatViewerTime,
  viewerZone,
  zoneName,
} from "@porchlight/shared/format/session-times";
import { formatMoney } from "@porchlight/shared/format/money";

/** When a session takes place: in the guru's zone, with the viewer's time beside it; online, the other way around. */
export function whenTexts(session: SessionFacts, viewer = viewerZone()): { first: string; beside: string } {
  const { startsAt, endsAt, zone, guruName } = session;
  const viewerTime = formatViewerTime(startsAt, zone, viewer);
  if (session.place !== "online" || viewerTime === "") {
    return { first: formatSession(startsAt, endsAt, zone), beside: viewerTime };
  }
  const beside = `${formatClock(startsAt, zone)} ${zoneName(startsAt, zone)} for ${guruName}`;
  return { first: formatSession(startsAt, endsAt, viewer), beside };
}

/** Where a session takes place. The address or link is known once it is booked. */
export function placeText({ place, guruName }: SessionFacts): string {
  switch (place) {
    case "guru":
      return `At ${guruName}'s place`;
    case "person":
      return "At your place";
    case "online":
      return "Online";
    case "agreed":
      return `You and ${guruName} agree on a place`;
  }
}

/** The label of the button that books. */
export function bookLabel({ approval, priceCents, currency }: BookedSession): string {
  if (approval === "request") return "Ask for this time";
  return priceCents === 0 ? "Book this time" : `Book for ${formatMoney(priceCents, currency)} – pay at the session`;
}

/** The label of the button that books several sessions. */
export function bookSeriesLabel({ approval, priceCents, currency }: BookedSession, sessions: number): string {
  if (approval === "request") return `Ask for ${sessions} sessions`;
  const total = formatMoney(priceCents * sessions, currency);
  return priceCents === 0
    ? `Book ${sessions} sessions`
    : `Book ${sessions} sessions for ${total} – pay at each session`;
}

/** How many sessions, and what they cost together. */
export function seriesTotal({ priceCents, currency }: BookedSession, sessions: number): string {
  if (sessions === 1) return "Only the first session is left.";
  if (priceCents === 0) return `${sessions} sessions, free`;
  return `${sessions} sessions, ${formatMoney(priceCents * sessions, currency)} – pay at each session`;
}

/** The message on the login page for a visitor who keeps a time. */
export function signInMessage(hold: Hold): string {
  const asked = `Please sign in to book ${hold.serviceName} with ${hold.guruName}.`;
  if (hold.expiresAt === null) return asked;
  return `${asked} We keep ${formatSessionStart(hold.startsAt, hold.zone)} for you until ${formatClock(hold.expiresAt, "")}.`;
}

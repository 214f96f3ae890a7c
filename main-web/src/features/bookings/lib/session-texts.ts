import type { Booking } from "./own-booking";
import { heldCardOf, heldPriceText, owedBadge } from "./kept-card-texts";
import {
  cancelingPaidNow,
  paidCancellationTerms,
  paidLateMoveTerms,
  paidMissedTerms,
  paidOf,
  paidText,
  paymentBadge,
  paymentStage,
} from "./payment-texts";
import type { BookedSession, Hold } from "./types";
import {
  formatClock,
  formatSession,
  formatSessionDay,
  formatSessionStart,
  formatViewerTime,
  localDay,
  viewerZone,
  zoneName,
} from "@porchlight/shared/format/session-times";
import { formatCents, formatMoney } from "@porchlight/shared/format/money";
import {
  type CancellationCost,
  formatCancelingNow,
  formatCancellationCost,
  formatTimes,
} from "@porchlight/shared/format/session-terms";

type SessionTime = Pick<BookedSession, "startsAt" | "endsAt" | "zone" | "place" | "guruName">;

/**
 * Describe a session's time in two parts: in the guru's zone first for a session in person, in the viewer's first for
 * one online. The second part is "" where both clocks agree.
 */
export function sessionTime(session: SessionTime, viewer = viewerZone()): { time: string; other: string } {
  const { startsAt, endsAt, zone } = session;
  const yours = formatViewerTime(startsAt, zone, viewer);
  if (session.place !== "online" || !yours) return { time: formatSession(startsAt, endsAt, zone), other: yours };
  const isSameDay = localDay(startsAt, zone) === localDay(startsAt, viewer);
  const day = isSameDay ? "" : `${formatSessionDay(startsAt, zone)}, `;
  return {
    time: formatSession(startsAt, endsAt, viewer),
    other: `${day}${formatClock(startsAt, zone)} ${zoneName(startsAt, zone)} for ${session.guruName}`,
  };
}

/** Describe a session's time as it would be from another start on. */
export function sessionTimeFrom(session: SessionTime, start: string, viewer = viewerZone()) {
  const length = Date.parse(session.endsAt) - Date.parse(session.startsAt);
  const endsAt = new Date(Date.parse(start) + length).toISOString();
  return sessionTime({ ...session, startsAt: start, endsAt }, viewer);
}

/** Name a session by its service and start, such as "First Mug, Tue, Dec 1, 11:00 AM MST", on the viewer's clock if online. */
export function startTitle(session: SessionTime & { serviceName: string }, viewer = viewerZone()): string {
  const zone = session.place === "online" ? viewer : session.zone;
  return `${session.serviceName}, ${formatSessionStart(session.startsAt, zone)}`;
}

/** Describe where a session takes place, above `address`: the address or link, "" while it is not known. */
export function placeLabel({ place, guruName }: Pick<BookedSession, "place" | "guruName">, address: string): string {
  switch (place) {
    case "guru":
      return `At ${guruName}'s place`;
    case "person":
      return "At your place";
    case "online":
      return "Online";
    case "agreed":
      return address === "" ? `You and ${guruName} agree on a place` : "Where you meet";
  }
}

/** Describe what to do before a session, as the guru wrote it: a label and the guru's text for each. */
export function preparation({ bring = "" }: { bring?: string }): { label: string; text: string }[] {
  return [{ label: "Bring", text: bring }].filter(({ text }) => text !== "");
}

/** The address or link where a session takes place, or "" while it is not known. */
export function meetingPlace({ place, address, placeText }: Pick<Booking, "place" | "address" | "placeText">): string {
  return place === "person" ? address : placeText;
}

type ToBook = BookedSession & Partial<Pick<Hold, "paysByCard" | "dueNowCents">>;

/** The label of the button that leads to Stripe's page. `cents`: what is paid there, 0 to enter a card only. */
const toStripe = (cents: number) =>
  cents > 0 ? `Continue to payment – ${formatCents(cents)}` : "Continue to your card – nothing to pay now";

/** The label of the button that books, or leads to the payment. */
export function bookLabel(session: ToBook): string {
  const { approval, priceCents, currency, paysByCard, dueNowCents = priceCents } = session;
  if (paysByCard && priceCents > 0) return toStripe(dueNowCents);
  if (approval === "request") return "Ask for this time";
  return priceCents === 0 ? "Book this time" : `Book for ${formatMoney(priceCents, currency)} – pay at the session`;
}

/** The label of the button that books several sessions, of which a package covers some. */
export function bookSeriesLabel(session: ToBook, sessions: number, covered = 0): string {
  const { approval, priceCents, currency, paysByCard, dueNowCents = priceCents } = session;
  const cents = priceCents * (sessions - covered);
  if (paysByCard && cents > 0) return toStripe(dueNowCents * (sessions - covered));
  if (approval === "request") return `Ask for ${sessions} sessions`;
  return priceCents === 0
    ? `Book ${sessions} sessions`
    : `Book ${sessions} sessions for ${formatMoney(cents, currency)} – pay at each session`;
}

/** How many sessions, and what they cost together. */
export function seriesTotal(session: ToBook, sessions: number): string {
  const { priceCents, currency, paysByCard, dueNowCents = priceCents } = session;
  if (sessions === 1) return "Only the first session is left.";
  if (priceCents === 0) return `${sessions} sessions, free`;
  const total = priceCents * sessions;
  if (paysByCard && dueNowCents < priceCents) {
    const now = dueNowCents > 0 ? `${formatCents(dueNowCents * sessions)} by card now, the rest` : "pay";
    return `${sessions} sessions, ${formatCents(total)} – ${now} at each session`;
  }
  return paysByCard
    ? `${sessions} sessions, ${formatCents(total)} – pay by card`
    : `${sessions} sessions, ${formatMoney(total, currency)} – pay at each session`;
}

export type StatusBadge = { label: string; tone: "neutral" | "good" | "warning" | "danger" };

/** The badge of a session's status. */
export function statusBadge(
  { status, endsAt, payment = null, endedBy = "" }: Pick<Booking, "status" | "endsAt"> & Partial<PaymentFacts>,
  now = Date.now(),
): StatusBadge {
  const owed = owedBadge({ status, payment });
  if (owed !== "") return { label: owed, tone: "danger" };
  const unpaid = paymentBadge({ status, payment, endedBy });
  if (unpaid !== "") return { label: unpaid, tone: status === "held" ? "warning" : "neutral" };
  switch (status) {
    case "held":
      return { label: "Not booked yet", tone: "neutral" };
    case "requested":
      return { label: "Waiting for an answer", tone: "warning" };
    case "confirmed":
      return Date.parse(endsAt) > now ? { label: "Booked", tone: "good" } : { label: "Done", tone: "neutral" };
    case "completed":
      return { label: "Done", tone: "neutral" };
    case "missed":
      return { label: "Missed", tone: "danger" };
    case "canceled":
      return { label: "Canceled", tone: "danger" };
    case "declined":
      return { label: "Declined", tone: "danger" };
    case "expired":
      return { label: "No answer", tone: "neutral" };
  }
}

/** Tell whether a session has a pass to show: it is booked and has not ended. */
export function hasPass({ status, endsAt }: Pick<Booking, "status" | "endsAt">, now = Date.now()): boolean {
  return status === "confirmed" && Date.parse(endsAt) > now;
}

/** Say by whom a session was ended, or "" for one that was not. */
export function endedText(booking: Pick<Booking, "status" | "guruName"> & PaymentFacts): string {
  const { status, endedBy, guruName } = booking;
  if (paymentStage(booking) !== null) return ""; // its card says what became of it
  if (status === "declined") return `${guruName} couldn't take this session.`;
  if (status === "expired") return `This request expired: ${guruName} didn't answer in time.`;
  if (status === "missed") return `${guruName} reported that you missed this session.`;
  if (status !== "canceled") return "";
  if (endedBy === "person") return "You canceled this session.";
  return endedBy === "guru" ? `${guruName} canceled this session.` : "Our team canceled this session.";
}

/** Tell whether a session can still be canceled: it is booked or requested, and has not started. */
export function canCancel({ status, startsAt }: Pick<Booking, "status" | "startsAt">, now = Date.now()): boolean {
  return (status === "requested" || status === "confirmed") && Date.parse(startsAt) > now;
}

/** Tell whether the address of a session can be corrected: it is at the user's place and has not ended. */
export function canChangeAddress(
  { place, status, endsAt }: Pick<Booking, "place" | "status" | "endsAt">,
  now = Date.now(),
): boolean {
  return place === "person" && (status === "requested" || status === "confirmed") && Date.parse(endsAt) > now;
}

/** Tell whether a booked session can be moved now. */
export function canMove(booking: Pick<Booking, "status" | "startsAt" | "terms">, now = Date.now()): boolean {
  const { moveUntil, movesLeft } = booking.terms;
  return booking.status === "confirmed" && movesLeft > 0 && moveUntil !== null && Date.parse(moveUntil) > now;
}

/** Say what a session costs, or that it is paid, or that a package covers it. */
export function priceText(session: Priced): string {
  const { priceCents, currency, package: used, payment = null, paysByCard = false } = session;
  const { dueNowCents = priceCents } = session;
  if (used && used.sessions > 0) return `Included in your package ${used.name}`;
  const held = heldCardOf({ payment });
  if (held) return heldPriceText(held, priceCents);
  const paid = paidOf({ payment });
  if (paid) return paidText(paid);
  if (paysByCard && dueNowCents < priceCents) {
    const now = dueNowCents > 0 ? `${formatCents(dueNowCents)} by card, the rest` : "pay";
    return `${formatCents(priceCents)}, ${now} at the session`;
  }
  if (payment?.mode === "deposit") return `${formatCents(payment.amountCents)} by card, the rest at the session`;
  if (payment || paysByCard) return `${formatCents(priceCents)}, pay by card`;
  return priceCents > 0 ? `${formatMoney(priceCents, currency)}, pay at the session` : "Free";
}

/** Say what becomes of the session of a package, once its booking has ended; "" without one. */
export function packageEndText({ package: used }: Pick<Booking, "package">): string {
  if (!used) return "";
  return used.sessions > 0 ? `It used a session of ${used.name}.` : `The session is back in ${used.name}.`;
}

type PaymentFacts = Pick<Booking, "payment" | "endedBy">;
type Priced = Pick<Booking, "priceCents" | "currency"> &
  Partial<Pick<Booking, "package" | "payment">> &
  Partial<Pick<Hold, "paysByCard" | "dueNowCents">>;
type Terms = Pick<Booking, "status" | "terms" | "currency" | "zone" | "policy" | "guruName" | "payment"> &
  Partial<Pick<Booking, "package" | "usesUpPackage">>;

/** What canceling a session or withdrawing a request costs, for the sentences about it. */
function cancellationCost(booking: Terms): CancellationCost {
  const { status, terms, currency, zone, payment } = booking;
  const price = (cents: number) => (cents > 0 ? formatMoney(cents, currency) : "");
  return {
    isRequest: status === "requested",
    freeUntil: terms.freeUntil === null ? "" : formatSessionStart(terms.freeUntil, zone),
    owed: price(terms.owedCents),
    late: price(terms.lateCents),
    package: packageEnd(booking),
    how: payment?.state === "kept" && terms.lateCents > 0 ? "charged" : "",
  };
}

function packageEnd({ terms, policy, package: used, usesUpPackage }: Terms): CancellationCost["package"] {
  if (!used || used.sessions === 0) return "";
  if (usesUpPackage) return "used";
  return terms.freeUntil !== null && policy.latePercent > 0 ? "returned_until" : "returned";
}

/** Say what a cancellation costs: now, and later if that differs. */
export function cancellationTerms(booking: Terms): string {
  const paid = paidOf(booking);
  return paid ? paidCancellationTerms(booking, paid) : formatCancellationCost(cancellationCost(booking));
}

/** Say in the dialog that cancels what it costs, or what comes back to the card. */
export function cancelingNow(booking: Terms): string {
  const paid = paidOf(booking);
  return paid ? cancelingPaidNow(booking, paid) : formatCancelingNow(cancellationCost(booking));
}

/** Say what missing the session costs, or "" when it costs nothing. */
export function missedTerms(booking: Terms): string {
  const { terms, currency, policy, package: used } = booking;
  const paid = paidOf(booking);
  if (paid) return paidMissedTerms(booking, paid);
  if (used && used.sessions > 0) return policy.missedPercent ? "If you don't come, the session is used." : "";
  const costs = booking.payment?.state === "kept" ? "your card is charged" : "you owe";
  return terms.missedCents > 0 ? `If you don't come, ${costs} ${formatMoney(terms.missedCents, currency)}.` : "";
}

/** Say that moving does not avoid the cost of a late cancellation; "" while canceling is free. */
export function lateMoveTerms(booking: Terms): string {
  const { terms, currency, usesUpPackage } = booking;
  const paid = paidOf(booking);
  if (paid) return paidLateMoveTerms(booking, paid);
  if (usesUpPackage) return " If you cancel after the move, the session of your package is used.";
  const costs = booking.payment?.state === "kept" ? "your card is still charged" : "you still owe";
  return terms.owedCents > 0
    ? ` If you cancel after the move, ${costs} ${formatMoney(terms.owedCents, currency)}.`
    : "";
}

/** Say how often and until when the session can be moved. */
export function moveTerms({ terms, zone }: Pick<Booking, "terms" | "zone">): string {
  if (terms.moveUntil === null || terms.movesLeft === 0) return "You can't move this session anymore.";
  return `You can move it ${formatTimes(terms.movesLeft)} until ${formatSessionStart(terms.moveUntil, zone)}.`;
}

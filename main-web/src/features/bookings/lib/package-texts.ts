import type { components } from "@porchlight/shared/api.gen";
import { formatDate } from "@porchlight/shared/format/dates";
import { formatCents } from "@porchlight/shared/format/money";
import { pluralize } from "@porchlight/shared/format/numbers";

const DAY_MS = 86_400_000;

type Schemas = components["schemas"];

export type OwnPackage = Schemas["OwnPackageData"];
export type UsablePackage = NonNullable<Schemas["HoldData"]["package"]>;
/** A package that a guru sells. */
export type SoldPackage = Schemas["SoldPackageData"];
/** A package that someone bought or is about to buy. */
export type PackagePurchase = Schemas["PackagePurchaseData"];

/** Say what is left of a package and until when, like "3 of 5 sessions left, until Mar 1, 2027". */
export function leftText({ left, granted, lastDay }: Pick<OwnPackage, "left" | "granted" | "lastDay">): string {
  return `${left} of ${pluralize(granted, "session", "sessions")} left, until ${formatDate(lastDay)}`;
}

/** Tell whether a package is among those that the user can book with, or could if their bank agreed. */
export function isShown({ isOpen, disputed, left, lastDay }: OwnPackage): boolean {
  // The last day is one in the guru's zone, which may still be going on where the day after has begun.
  return isOpen || (disputed && left > 0 && Date.parse(lastDay) + 2 * DAY_MS > Date.now());
}

/** Say what a package consists of, like "5 sessions of Knife Skills". */
export const contentText = ({ sessions, serviceName }: Pick<SoldPackage, "sessions" | "serviceName">) =>
  `${pluralize(sessions, "session", "sessions")} of ${serviceName}`;

/** Say what each session of a package costs, like "$40.00 per session". */
export function perSessionText({ priceCents, sessions }: Pick<SoldPackage, "priceCents" | "sessions">): string {
  const isExact = priceCents % sessions === 0;
  return `${isExact ? "" : "about "}${formatCents(Math.round(priceCents / sessions))} per session`;
}

/** Say what was paid for a package and what went back, like "Paid $200.00, $50.00 returned"; "" for a gift. */
export function paidPackageText({ paidCents, refundedCents }: Pick<OwnPackage, "paidCents" | "refundedCents">): string {
  if (paidCents === 0) return "";
  return `Paid ${formatCents(paidCents)}${refundedCents > 0 ? `, ${formatCents(refundedCents)} returned` : ""}`;
}

/** The starts that a package covers: the earliest ones before its end, as many as it has left for the party. */
export function coveredStarts(
  { left, expiresAt }: Pick<UsablePackage, "left" | "expiresAt">,
  starts: readonly string[],
  party: number,
): string[] {
  const inTime = starts.filter((start) => Date.parse(start) < Date.parse(expiresAt));
  return inTime.sort((one, other) => Date.parse(one) - Date.parse(other)).slice(0, Math.floor(left / party));
}

import { placeOf } from "@/lib/session-places";
import type { WizardServices } from "./types";
import { moneyInputValue, parseMoney } from "@porchlight/shared/format/money";

const MAX_PRICE_CENTS = 1_000_000;
const MIN_BOOKABLE_MINUTES = 15;
const MAX_BOOKABLE_MINUTES = 480;

export type TypedService = { name: string; price: string; minutes: string; label: string };
export type MeetingPlace = Pick<WizardServices, "place" | "placeText">;

export const typedServices = ({ services }: WizardServices): TypedService[] =>
  services.map(({ name, priceCents, durationMinutes, durationLabel }) => ({
    name,
    price: moneyInputValue(priceCents),
    minutes: durationMinutes === null ? "" : String(durationMinutes),
    label: durationLabel,
  }));

/** Return what was typed as a price, in cents; null for none that a service can have. */
export function priceOf(text: string): number | null {
  const cents = parseMoney(text);
  return cents !== null && cents <= MAX_PRICE_CENTS ? cents : null;
}

/** Return what was typed as a length, in minutes; null for none that a service can have. */
export function minutesOf(text: string): number | null {
  const minutes = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0;
  return minutes >= 5 && minutes <= 1440 ? minutes : null;
}

/** Return what to know about a length at which neighbors can't ask for a time. */
export function minutesHint(text: string): string {
  const minutes = minutesOf(text);
  if (minutes === null || (minutes >= MIN_BOOKABLE_MINUTES && minutes <= MAX_BOOKABLE_MINUTES)) return "";
  return "Neighbors can ask for times of 15 to 480 minutes. They'll message you about this one.";
}

export type ServiceErrors = { name?: string | undefined; price?: string | undefined; minutes?: string | undefined };

export function errorsOf({ name, price, minutes, label }: TypedService): ServiceErrors {
  return {
    name: name.trim() === "" ? "Enter a name" : name.length > 80 ? "80 characters max" : undefined,
    price: priceOf(price) === null ? "Enter a price from $0 to $10,000, such as 75 or 19.50" : undefined,
    minutes: label === "" && minutesOf(minutes) === null ? "Enter 5 to 1,440 minutes" : undefined,
  };
}

export function placeError({ place, placeText }: MeetingPlace): string | undefined {
  return place === "" || placeText.trim() !== "" ? undefined : placeOf(place).missing;
}

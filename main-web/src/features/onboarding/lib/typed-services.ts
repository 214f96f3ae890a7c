import { placeOf } from "@/lib/session-places";
import type { WizardServices } from "./types";
import { moneyInputValue, parseMoney } from "@porchlight/shared/format/money";

const MAX_PRICE_CENTS = 1_000_000;
const MIN_BOOKABLE_MINUTES = 15;
const MAX_BOOKABLE_MINUTES = 480;

export const MAX_SERVICES = 10;
export const MAX_DESCRIPTION_LENGTH = 500;
const MAX_LABEL_LENGTH = 40;
const MAX_FEATURE_LENGTH = 120;
const MAX_FEATURES = 12;

export type TypedService = {
  name: string;
  price: string;
  minutes: string;
  /** The length of a service without minutes, such as "Monthly". Null for one with minutes. */
  label: string | null;
  description: string;
  /** One point per line. */
  features: string;
};
export type MeetingPlace = Pick<WizardServices, "place" | "placeText">;

export const typedServices = ({ services }: WizardServices): TypedService[] =>
  services.map(({ name, priceCents, durationMinutes, durationLabel, description, features }) => ({
    name,
    price: moneyInputValue(priceCents),
    minutes: durationMinutes === null ? "" : String(durationMinutes),
    label: durationMinutes === null ? durationLabel : null,
    description,
    features: features.join("\n"),
  }));

export const NEW_SERVICE: TypedService = {
  name: "",
  price: "",
  minutes: "60",
  label: null,
  description: "",
  features: "",
};

/** Return the service as it is sent. Expects one without errors. */
export const serviceOf = ({ name, price, minutes, label, description, features }: TypedService) => ({
  name: name.trim(),
  priceCents: priceOf(price) ?? 0,
  durationMinutes: label === null ? minutesOf(minutes) : null,
  ...(label !== null && { durationLabel: label.trim() }),
  description: description.trim(),
  features: pointsOf(features),
});

const pointsOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

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

export type ServiceErrors = Partial<
  Record<"name" | "price" | "length" | "description" | "features", string | undefined>
>;

/** Return what is wrong with the fields of a service, in their order on the screen. */
export function errorsOf({ name, price, minutes, label, description, features }: TypedService): ServiceErrors {
  return {
    name: name.trim() === "" ? "Enter a name" : name.length > 80 ? "80 characters max" : undefined,
    price: priceOf(price) === null ? "Enter a price from $0 to $10,000, such as 75 or 19.50" : undefined,
    length: label === null ? minutesError(minutes) : labelError(label),
    description: description.length > MAX_DESCRIPTION_LENGTH ? `${MAX_DESCRIPTION_LENGTH} characters max` : undefined,
    features: featuresError(pointsOf(features)),
  };
}

const minutesError = (text: string) => (minutesOf(text) === null ? "Enter 5 to 1,440 minutes" : undefined);

function labelError(label: string): string | undefined {
  if (label.trim() === "") return "Enter a length, such as Monthly";
  return label.length > MAX_LABEL_LENGTH ? `${MAX_LABEL_LENGTH} characters max` : undefined;
}

function featuresError(points: readonly string[]): string | undefined {
  if (points.length > MAX_FEATURES) return `${MAX_FEATURES} points max.`;
  return points.some((point) => point.length > MAX_FEATURE_LENGTH)
    ? `Each point can be up to ${MAX_FEATURE_LENGTH} characters.`
    : undefined;
}

export function placeError({ place, placeText }: MeetingPlace): string | undefined {
  return place === "" || placeText.trim() !== "" ? undefined : placeOf(place).missing;
}

import type { ServiceBooking } from "./types";

type Place = { value: ServiceBooking["place"]; label: string; text: string };

const AGREED: Place = { value: "agreed", label: "We agree on a place", text: "Where you usually meet" };

/** The kinds of places, in the guru's words, and what to enter for each. */
export const PLACES: readonly Place[] = [
  { value: "guru", label: "My place", text: "Address and how to find it" },
  { value: "person", label: "Their place", text: "What you need there" },
  { value: "online", label: "Online", text: "Link or how to join" },
  AGREED,
];

export function placeOf(value: ServiceBooking["place"]): Place {
  return PLACES.find((place) => place.value === value) ?? AGREED;
}

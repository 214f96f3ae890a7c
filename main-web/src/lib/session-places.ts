/** The kinds of places where a guru meets people. */
export type SessionPlace = "guru" | "person" | "online" | "agreed";

/** A kind of place in the guru's words: what to enter, and what to say if it is missing but needed to book. */
type Place = { value: SessionPlace; label: string; text: string; missing?: string };

const AGREED: Place = { value: "agreed", label: "We agree on a place", text: "Where you usually meet" };

export const PLACES: readonly Place[] = [
  {
    value: "guru",
    label: "My place",
    text: "Your address and how to find it",
    missing: "Enter your address, so that neighbors can find you",
  },
  { value: "person", label: "Their place", text: "What you need there" },
  {
    value: "online",
    label: "Online",
    text: "Link or how to join",
    missing: "Enter the link, so that neighbors can join",
  },
  AGREED,
];

export const MAX_PLACE_LENGTH = 300;

export function placeOf(value: SessionPlace): Place {
  return PLACES.find((place) => place.value === value) ?? AGREED;
}

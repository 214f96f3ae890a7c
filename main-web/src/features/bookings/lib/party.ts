import type { DraftPerson } from "./booking-draft";
import type { Hold } from "./types";

export type PartyPerson = { name: string; signer: DraftPerson["signer"]; email: string; isSigned: boolean };

/** Return a draft of everyone who comes: the person who books, then others who sign with a link. */
export function draftOfParty(people: DraftPerson[], party: number): DraftPerson[] {
  return Array.from(
    { length: party },
    (_, index): DraftPerson =>
      people[index] ?? { name: index === 0 ? null : "", signer: index === 0 ? "self" : "link", email: "" },
  );
}

/** Return who comes, and whether the person who books has signed for them. */
export function partyOf(people: DraftPerson[], ownName: string, waiver: Hold["waiver"]): PartyPerson[] {
  return people.map(({ name, signer, email }) => {
    const shown = (signer === "self" ? ownName : (name ?? "")).trim();
    const isSigned =
      signer === "self"
        ? waiver.validUntil !== null
        : signer === "guardian" && waiver.minors.some((minor) => isSameName(minor.name, shown));
    return { name: shown, signer, email: signer === "link" ? email.trim() : "", isSigned };
  });
}

/**
 * Return the first instant after the waivers that the person who books has signed or signs now, in milliseconds: for
 * themselves and for their children who take part. `ifSignedNow` is that of a waiver that is still to sign. Others sign
 * with links later.
 */
export function waiverEnd(people: PartyPerson[], waiver: Hold["waiver"], ifSignedNow: number): number {
  const ends = people
    .filter(({ signer }) => signer !== "link")
    .map(({ name, signer }) => {
      const until =
        signer === "self" ? waiver.validUntil : waiver.minors.find((minor) => isSameName(minor.name, name))?.validUntil;
      return until ? Date.parse(until) : ifSignedNow;
    });
  return Math.min(...ends);
}

/** Tell whether two spellings are the same name, as the server does. */
function isSameName(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(name: string): string {
  return name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim().replace(/\s+/g, " ");
}

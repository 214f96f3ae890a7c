import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import type { TypedAnswers } from "@/lib/questions";
import { isRepeat, NO_REPEAT, type Repeat } from "./series-plan";

/** What a user entered for a booking. */
export type BookingDraft = {
  /** Null until it is changed: the name then comes from the profile. */
  name: string | null;
  participants: string[];
  /** Who takes part in a session that needs a waiver, and who signs for each. */
  people: DraftPerson[];
  note: string;
  /** Where to meet, for a session at the user's place. */
  address: string;
  /** The answers to the guru's questions, by the label of the question. */
  answers: TypedAnswers;
  repeat: Repeat;
};

/** A participant. `name` is null for the person who books. */
export type DraftPerson = { name: string | null; signer: Signer; email: string };
export type Signer = "self" | "guardian" | "link";

export const EMPTY_DRAFT: BookingDraft = {
  name: null,
  participants: [],
  people: [],
  note: "",
  address: "",
  answers: {},
  repeat: NO_REPEAT,
};

const ATTEMPT = "porchlight.booking-attempt";

/** The draft belongs to the service, so that it survives signing in, verifying the address and another hold. */
const storageKey = (guruLabel: string, serviceId: string) => `porchlight.booking.${guruLabel}.${serviceId}`;

/** Return the stored draft, or an empty one. */
export function readDraft(guruLabel: string, serviceId: string): BookingDraft {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey(guruLabel, serviceId)) ?? "null");
    return isDraft(stored) ? { ...EMPTY_DRAFT, ...stored } : EMPTY_DRAFT;
  } catch {
    return EMPTY_DRAFT;
  }
}

export function saveDraft(guruLabel: string, serviceId: string, draft: BookingDraft) {
  try {
    sessionStorage.setItem(storageKey(guruLabel, serviceId), JSON.stringify(draft));
  } catch {
    // Storage is full or unavailable: the form is empty after leaving the page.
  }
}

export function deleteDraft(guruLabel: string, serviceId: string) {
  try {
    sessionStorage.removeItem(storageKey(guruLabel, serviceId));
  } catch {
    // Storage is unavailable, so there is no draft.
  }
}

type Attempt = { content: string; key: string };
let lastAttempt: Attempt | null = null;

/**
 * Return the idempotency key of a request with this content. It stays the same after an error, also when the page is
 * loaded again, so that nothing is booked twice.
 */
export function keyOfAttempt(content: string): string {
  try {
    lastAttempt ??= JSON.parse(sessionStorage.getItem(ATTEMPT) ?? "null") as Attempt | null;
  } catch {
    // Storage is unavailable: the key is new after loading the page again.
  }
  if (lastAttempt?.content === content) return lastAttempt.key;
  lastAttempt = { content, key: createIdempotencyKey() };
  try {
    sessionStorage.setItem(ATTEMPT, JSON.stringify(lastAttempt));
  } catch {
    // As above.
  }
  return lastAttempt.key;
}

function isDraft(value: unknown): value is BookingDraft {
  if (typeof value !== "object" || value === null) return false;
  const { name, participants, people, note, address, answers, repeat } = value as Partial<BookingDraft>;
  return (
    (name === null || typeof name === "string") &&
    Array.isArray(participants) &&
    participants.every((one) => typeof one === "string") &&
    (people === undefined || (Array.isArray(people) && people.every(isPerson))) &&
    typeof note === "string" &&
    (address === undefined || typeof address === "string") &&
    (answers === undefined || isAnswers(answers)) &&
    (repeat === undefined || isRepeat(repeat))
  );
}

function isAnswers(value: unknown): value is TypedAnswers {
  return typeof value === "object" && value !== null && Object.values(value).every((one) => typeof one === "string");
}

function isPerson(value: unknown): value is DraftPerson {
  if (typeof value !== "object" || value === null) return false;
  const { name, signer, email } = value as Partial<DraftPerson>;
  return (
    (name === null || typeof name === "string") &&
    (signer === "self" || signer === "guardian" || signer === "link") &&
    typeof email === "string"
  );
}

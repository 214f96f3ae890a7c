import { isRepeat, NO_REPEAT, type Repeat } from "./series-plan";

/** What a user entered for a booking. */
export type BookingDraft = {
  /** Null until it is changed: the name then comes from the profile. */
  name: string | null;
  participants: string[];
  note: string;
  repeat: Repeat;
};

export const EMPTY_DRAFT: BookingDraft = { name: null, participants: [], note: "", repeat: NO_REPEAT };

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

function isDraft(value: unknown): value is BookingDraft {
  if (typeof value !== "object" || value === null) return false;
  const { name, participants, note, repeat } = value as Partial<BookingDraft>;
  return (
    (name === null || typeof name === "string") &&
    Array.isArray(participants) &&
    participants.every((one) => typeof one === "string") &&
    typeof note === "string" &&
    (repeat === undefined || isRepeat(repeat))
  );
}

import { MAX_PLACE_LENGTH, placeOf } from "@/lib/session-places";
import { questionErrors, toQuestion, typedQuestions, type QuestionErrors, type TypedQuestion } from "./typed-questions";
import type { BookingTerms, ServiceBooking, ServiceBookingPayload } from "./types";

/** The booking settings of a service as typed. `own` are the terms of the policy "own". */
export type TypedBooking = Pick<
  ServiceBooking,
  "open" | "starts" | "approval" | "place" | "placeText" | "bring" | "waiver" | "risk" | "policy" | "payment"
> & {
  capacity: string;
  partyMax: string;
  setupMinutes: string;
  cleanupMinutes: string;
  depositPercent: string;
  questions: TypedQuestion[];
  own: BookingTerms;
};

export const typedBooking = (booking: ServiceBooking): TypedBooking => ({
  open: booking.open,
  starts: booking.starts,
  approval: booking.approval,
  place: booking.place,
  placeText: booking.placeText,
  bring: booking.bring,
  questions: typedQuestions(booking.questions),
  waiver: booking.waiver,
  risk: booking.risk,
  policy: booking.policy,
  payment: booking.payment,
  capacity: String(booking.capacity),
  partyMax: String(booking.partyMax),
  setupMinutes: String(booking.setupMinutes),
  cleanupMinutes: String(booking.cleanupMinutes),
  depositPercent: String(booking.depositPercent),
  own: booking.terms,
});

function whole(text: string, least: number, most: number): number | null {
  const number = /^\d{1,4}$/.test(text.trim()) ? Number(text) : -1;
  return number >= least && number <= most ? number : null;
}

export type BookingErrors = QuestionErrors &
  Partial<Record<keyof TypedBooking | "terms.freeUntilMinutes" | "terms.missedPercent", string>>;

/** The percentage of a deposit, or null for an impossible one. */
export const depositPercentOf = ({ depositPercent }: Pick<TypedBooking, "depositPercent">) =>
  whole(depositPercent, 5, 95);

/** Return one sentence per invalid field. */
export function bookingErrors(typed: TypedBooking): BookingErrors {
  const errors: BookingErrors = questionErrors(typed.questions);
  const capacity = whole(typed.capacity, 1, 100);
  const partyMax = whole(typed.partyMax, 1, 10);
  if (capacity === null) errors.capacity = "Enter 1 to 100";
  if (partyMax === null) errors.partyMax = "Enter 1 to 10";
  else if (capacity !== null && partyMax > capacity)
    errors.partyMax = `Enter ${capacity} or less: there are no more spots`;
  if (whole(typed.setupMinutes, 0, 240) === null) errors.setupMinutes = "Enter 0 to 240 minutes";
  if (whole(typed.cleanupMinutes, 0, 240) === null) errors.cleanupMinutes = "Enter 0 to 240 minutes";
  if (typed.payment === "deposit" && depositPercentOf(typed) === null) errors.depositPercent = "Enter 5 to 95";
  const { missing } = placeOf(typed.place);
  if (typed.open && missing && typed.placeText.trim() === "") errors.placeText = missing;
  if (typed.placeText.length > MAX_PLACE_LENGTH) errors.placeText = `${MAX_PLACE_LENGTH} characters max`;
  if (typed.policy === "own") {
    const { freeUntilMinutes, latePercent, missedPercent } = typed.own;
    if (latePercent > 0 && freeUntilMinutes === 0)
      errors["terms.freeUntilMinutes"] = "Say until when canceling is free, or charge nothing for it.";
    if (missedPercent < latePercent)
      errors["terms.missedPercent"] = "Charge at least as much for not coming as for canceling late.";
    else if (typed.payment === "hold" && missedPercent === 0)
      errors.payment =
        "With these terms a card is never charged. Charge something for not coming, or choose another way to pay.";
  }
  return errors;
}

/** Return the request for valid settings. */
export function bookingPayload(typed: TypedBooking, revision: number): ServiceBookingPayload {
  const { own, depositPercent, ...settings } = typed;
  const percent = depositPercentOf({ depositPercent });
  return {
    ...settings,
    ...(percent !== null && { depositPercent: percent }),
    revision,
    placeText: typed.placeText.trim(),
    bring: typed.bring.trim(),
    questions: typed.questions.map(toQuestion),
    capacity: Number(typed.capacity),
    partyMax: Number(typed.partyMax),
    setupMinutes: Number(typed.setupMinutes),
    cleanupMinutes: Number(typed.cleanupMinutes),
    terms: typed.policy === "own" ? own : null,
  };
}

/** Return the changed group sizes of a service, as far as they are valid. */
export function changedGroup(
  serviceId: string,
  saved: Pick<ServiceBooking, "capacity" | "partyMax">,
  typed: Pick<TypedBooking, "capacity" | "partyMax">,
): { serviceId: string; capacity?: number; partyMax?: number } {
  const capacity = whole(typed.capacity, 1, 100);
  const partyMax = whole(typed.partyMax, 1, 10);
  return {
    serviceId,
    ...(capacity !== null && capacity !== saved.capacity && { capacity }),
    ...(partyMax !== null && partyMax !== saved.partyMax && { partyMax }),
  };
}

import { ApiError } from "@porchlight/shared/client";

/** Codes whose own words are shown, although SPEC 8.2 replaces those of a 429 and a 503 (MONEY 8). */
const OWN_WORDS = new Set(["payments_away", "payments_unavailable", "too_many_checkouts"]);

/** Return the text of an error about payments. */
export function paymentErrorText(error: Error): string {
  return error instanceof ApiError && OWN_WORDS.has(error.code) ? error.serverMessage : error.message;
}

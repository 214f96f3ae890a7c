import { errorMessage } from "@/lib/errors";
import { ApiError } from "@porchlight/shared/client";

/** Tell whether the person said that they don't want email from the site. */
export function isAddressBlocked(reason: unknown): boolean {
  return reason instanceof ApiError && reason.code === "address_blocked";
}

/** Return the message of a failed reply. The limit for unconfirmed addresses is named in the response's own words. */
export function replyErrorMessage(reason: unknown): string {
  const hasOwnWords = reason instanceof ApiError && reason.code === "unconfirmed_limit";
  return hasOwnWords ? reason.serverMessage : errorMessage(reason);
}

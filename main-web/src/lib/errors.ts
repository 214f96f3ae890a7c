import { ApiError } from "@porchlight/shared/client";

/** Return the message of an error. */
export function errorMessage(reason: unknown): string {
  return reason instanceof Error ? reason.message : "Something went wrong. Please try again.";
}

/** Tell whether the resource was changed in another tab or on another device. */
export function isEditConflict(reason: unknown): boolean {
  return reason instanceof ApiError && reason.code === "changed_elsewhere";
}

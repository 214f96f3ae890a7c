/** Codes and texts of a session that ended or could not be checked. They load with every page; auth-errors.ts has more. */

/** The text for an account that our staff disabled (SPEC 8.1, verbatim). */
export const ACCOUNT_DISABLED = "This account has been disabled. Please contact support.";
export const SESSION_ENDED = "Your session has expired. Please sign in again.";

/** The error code without its prefix ("wrong-password" for "auth/wrong-password"), or "" without a code. */
export function authCode(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code.replace(/^auth\//, "") : "";
}

/** The text for an error of the auth state listener (SPEC 8.1). */
export function authListenerErrorText(error: unknown): string {
  const code = authCode(error);
  if (code === "network-request-failed") return "Network error. Please check your connection.";
  if (code === "too-many-requests") return "Too many authentication attempts. Please try again later.";
  return "Authentication error. Please refresh the page.";
}

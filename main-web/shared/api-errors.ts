/** The words of the API helper, by what went wrong (SPEC 8.2, verbatim). */
export const API_ERROR_TEXTS = {
  unauthenticated: "Authentication required. Please sign in and try again.",
  forbidden: "Access denied. You don't have permission to perform this action.",
  limited: "Too many requests. Please wait a moment and try again.",
  server: "Server error. Please try again later.",
  failed: "Request failed. Please check your connection and try again.",
  network: "Network error. Please check your internet connection.",
} as const;

/**
 * The sentence a person reads for a failed answer (SPEC 8.2).
 * @param status HTTP status of the answer
 * @param serverMessage `error.message` of the body, when there is one
 */
export function apiErrorText(status: number, serverMessage?: string): string {
  if (status === 401) return API_ERROR_TEXTS.unauthenticated;
  if (status === 403) return API_ERROR_TEXTS.forbidden;
  if (status === 429) return API_ERROR_TEXTS.limited;
  if (status >= 500) return API_ERROR_TEXTS.server;
  return serverMessage || API_ERROR_TEXTS.failed;
}

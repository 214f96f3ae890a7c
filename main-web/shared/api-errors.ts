/** The API helper's error texts by kind of failure (SPEC 8.2, verbatim). */
export const API_ERROR_TEXTS = {
  unauthenticated: "Authentication required. Please sign in and try again.",
  forbidden: "Access denied. You don't have permission to perform this action.",
  rateLimited: "Too many requests. Please wait a moment and try again.",
  server: "Server error. Please try again later.",
  failed: "Request failed. Please check your connection and try again.",
  network: "Network error. Please check your internet connection.",
} as const;

/**
 * The text for an error response (SPEC 8.2).
 * @param status HTTP status
 * @param serverMessage `error.message` of the body, if present
 */
export function apiErrorText(status: number, serverMessage?: string): string {
  if (status === 401) return API_ERROR_TEXTS.unauthenticated;
  if (status === 403) return API_ERROR_TEXTS.forbidden;
  if (status === 429) return API_ERROR_TEXTS.rateLimited;
  if (status >= 500) return API_ERROR_TEXTS.server;
  return serverMessage || API_ERROR_TEXTS.failed;
}

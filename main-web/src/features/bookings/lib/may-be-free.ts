import { ApiError } from "@porchlight/shared/client";

/** Tell whether a time may still be free after a failed request: without an answer by the server, the choice stays. */
export function mayBeFree(reason: unknown): boolean {
  return !(reason instanceof ApiError) || reason.status === 0 || reason.status >= 500;
}

import { api } from "../api-client";

/** End the cookie session on all hosts of the product. */
export function deleteSession(): Promise<unknown> {
  return api.DELETE("/auth/session");
}

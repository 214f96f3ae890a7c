import { api } from "../api";

/** Ends the cookie session on every host of ours. */
export function deleteSession(): Promise<unknown> {
  return api.delete("/auth/session");
}

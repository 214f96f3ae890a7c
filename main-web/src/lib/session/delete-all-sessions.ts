import { api } from "../api-client";

/** End all sessions of the user: all cookies and ID tokens. */
export function deleteAllSessions(): Promise<unknown> {
  return api.DELETE("/auth/sessions");
}

import { api } from "../api";

/** Ends the cookie session on every host of ours. */
export function deleteSession(): Promise<unknown> {
  return api.delete("/auth/session");
}

/** Ends every sign-in of the person: all cookies and ID tokens. */
export function deleteSessions(): Promise<unknown> {
  return api.delete("/auth/sessions");
}

/** Erases the account for good; wants a sign-in of the last quarter of an hour. */
export function deleteAccount(): Promise<unknown> {
  return api.delete("/auth/account");
}

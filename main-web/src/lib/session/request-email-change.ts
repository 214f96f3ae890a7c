import { api } from "../api-client";

/** Announce an address change before its email is requested, so that the server can update the account. */
export function requestEmailChange(email: string): Promise<unknown> {
  return api.POST("/auth/email-change", { body: { email } });
}

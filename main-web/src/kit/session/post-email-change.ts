import { api } from "../api";

/** Announces another address before its mail is asked for, so that the product's account follows the change. */
export function postEmailChange(email: string): Promise<unknown> {
  return api.post("/auth/email-change", { body: { email } });
}

import { api } from "../api-client";

/** Delete the account; requires a sign-in within the last 15 minutes. */
export function deleteAccount(): Promise<unknown> {
  return api.DELETE("/auth/account");
}

import { api } from "../api-client";

export type Registration = {
  email: string;
  displayName: string;
  firstName?: string;
  lastName?: string;
  skills: { offered: string[]; wanted: string[] };
  location: string;
  photoURL?: string;
};

/** Create the account in the product's API (SPEC 7.2); safe to repeat. */
export function createAccount(registration: Registration): Promise<unknown> {
  return api.POST("/auth/register", { body: registration });
}

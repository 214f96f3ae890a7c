import { api } from "../api";

export type Registration = {
  email: string;
  displayName: string;
  firstName?: string;
  lastName?: string;
  skills: { offered: string[]; wanted: string[] };
  location: string;
  photoURL?: string;
};

/** Tells the product's API of an account (SPEC 7.2); safe to repeat. */
export function postRegister(registration: Registration): Promise<unknown> {
  return api.post("/auth/register", { body: registration });
}

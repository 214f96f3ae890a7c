import { useSession } from "../../kit/session/session-context";
import type { components } from "@porchlight/shared/api.gen";
import { ApiError } from "@porchlight/shared/client";

type Schemas = components["schemas"];

export type Status = Schemas["WizardStatus"];
export type Site = Schemas["WizardSite"];
export type WizardProfile = Schemas["WizardProfile"];
export type Needed = Schemas["NeededAnswer"];
export type TaxonomyCategory = Schemas["TaxonomyAnswer"];
export type AddressCheck = Schemas["SubdomainData"];
export type Published = Schemas["PublishData"];

/** The account that is signed in, as a part of query keys: nobody sees the wizard of who was here before. */
export function useUid(): string {
  const session = useSession();
  return session.status === "signed-in" ? session.user.uid : "";
}

/** The words of a save that failed (SPEC 8.6). */
export function saveErrorText(reason: unknown): string {
  const said = reason instanceof ApiError ? reason.message : "";
  return said || "An unknown error occurred. Please try again.";
}

import { api } from "@/lib/api-client";
import { useMySkillsMutation } from "../lib/use-my-skills-mutation";
import type { components } from "@porchlight/shared/api.gen";

type ListingFields = Required<components["schemas"]["SkillListingPayload"]>;

/** Replace all fields of a listing. */
export function useUpdateListing() {
  return useMySkillsMutation(({ id, fields }: { id: string; fields: ListingFields }) =>
    api.PUT("/skills/offers/{offer_id}", { params: { path: { offer_id: id } }, body: fields }),
  );
}

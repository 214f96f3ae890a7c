import { api } from "@/lib/api-client";
import type { MySkills, ListingFields } from "../lib/types";
import { useMySkillsMutation } from "../lib/use-my-skills-mutation";

/** Replace all fields of a listing. */
export function useUpdateListing() {
  return useMySkillsMutation(({ id, fields }: { id: string; fields: ListingFields }) =>
    api.put<MySkills>(`/skills/offers/${id}`, { body: fields }),
  );
}

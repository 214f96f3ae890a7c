import { api } from "@/lib/api-client";
import { useMySkillsMutation } from "../lib/use-my-skills-mutation";

/** Stop offering a skill. */
export function useDeleteListing() {
  return useMySkillsMutation((id: string) =>
    api.DELETE("/skills/offers/{offer_id}", { params: { path: { offer_id: id } } }),
  );
}

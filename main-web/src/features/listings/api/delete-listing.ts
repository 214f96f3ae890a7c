import { api } from "@/lib/api-client";
import type { MySkills } from "../lib/types";
import { useMySkillsMutation } from "../lib/use-my-skills-mutation";

/** Stop offering a skill. */
export function useDeleteListing() {
  return useMySkillsMutation((id: string) => api.delete<MySkills>(`/skills/offers/${id}`));
}

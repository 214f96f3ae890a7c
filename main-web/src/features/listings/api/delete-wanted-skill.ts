import { api } from "@/lib/api-client";
import type { MySkills } from "../lib/types";
import { useMySkillsMutation } from "../lib/use-my-skills-mutation";

/** Remove a skill that the user wanted to learn. */
export function useDeleteWantedSkill() {
  return useMySkillsMutation((id: string) => api.delete<MySkills>(`/skills/wants/${id}`));
}

import { api } from "@/lib/api-client";
import { useMySkillsMutation } from "../lib/use-my-skills-mutation";

/** Remove a skill that the user wanted to learn. */
export function useDeleteWantedSkill() {
  return useMySkillsMutation((id: string) =>
    api.DELETE("/skills/wants/{want_id}", { params: { path: { want_id: id } } }),
  );
}

import { api } from "@/lib/api-client";
import { useMySkillsMutation } from "../lib/use-my-skills-mutation";

/** Add a skill that the user wants to learn. */
export function useCreateWantedSkill() {
  return useMySkillsMutation((title: string) => api.POST("/skills/wants", { body: { title } }));
}

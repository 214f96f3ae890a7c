import { api } from "@/lib/api-client";
import type { MySkills } from "../lib/types";
import { useMySkillsMutation } from "../lib/use-my-skills-mutation";

/** Add a skill that the user wants to learn. */
export function useCreateWantedSkill() {
  return useMySkillsMutation((title: string) => api.post<MySkills>("/skills/wants", { body: { title } }));
}

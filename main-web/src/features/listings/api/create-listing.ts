import { api } from "@/lib/api-client";
import type { MySkills } from "../lib/types";
import { useMySkillsMutation } from "../lib/use-my-skills-mutation";

/** Offer one more skill, with the default terms. */
export function useCreateListing() {
  return useMySkillsMutation((title: string) => api.post<MySkills>("/skills/offers", { body: { title } }));
}

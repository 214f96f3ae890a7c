import { api } from "@/lib/api-client";
import { useMySkillsMutation } from "../lib/use-my-skills-mutation";

/** Offer one more skill, with the default terms. */
export function useCreateListing() {
  return useMySkillsMutation((title: string) => api.POST("/skills/offers", { body: { title } }));
}

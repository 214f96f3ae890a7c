import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { components } from "@porchlight/shared/api.gen";

export type MySkills = components["schemas"]["OwnSkillsData"];

export const mySkillsQuery = queryOptions({
  queryKey: ["skills", "mine"],
  queryFn: ({ signal }) => api.GET("/skills/mine", { signal }),
});

/** List the skills that the user offers, with their listings, and the skills that they want. */
export function useMySkills() {
  return useQuery(mySkillsQuery);
}

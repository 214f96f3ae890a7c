import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { components } from "@porchlight/shared/api.gen";

export type ActivityRisk = components["schemas"]["ActivityRisk"];

/** Get the risk of an activity in a category, as the server rates it. */
export function useActivityRisk(skillCategory: string, activityDescription: string) {
  return useQuery({
    queryKey: ["waivers", "risk", skillCategory, activityDescription],
    queryFn: ({ signal }) => api.POST("/liability/risk", { body: { skillCategory, activityDescription }, signal }),
  });
}

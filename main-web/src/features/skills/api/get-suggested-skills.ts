import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { components } from "@porchlight/shared/api.gen";

/** A skill the user could offer, and how many new matches it would bring. */
export type SuggestedSkill = components["schemas"]["SuggestedSkillResponse"];

/** List skills that would bring new matches; disabled while signed out. */
export function useSuggestedSkills(userId: string | null) {
  return useQuery({
    queryKey: ["skills", "openings", userId],
    queryFn: ({ signal }) => api.GET("/skills/openings", { signal }),
    enabled: userId !== null,
  });
}

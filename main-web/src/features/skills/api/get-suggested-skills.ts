import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";

/** A skill the user could offer, and how many new matches it would bring. */
export type SuggestedSkill = { skill: string; people: number };

/** List skills that would bring new matches; disabled while signed out. */
export function useSuggestedSkills(userId: string | null) {
  return useQuery({
    queryKey: ["skills", "openings", userId],
    queryFn: ({ signal }) => api.get<{ skills: SuggestedSkill[] }>("/skills/openings", { signal }),
    enabled: userId !== null,
  });
}

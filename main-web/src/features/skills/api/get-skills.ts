import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";

export type RiskLevel = "low" | "medium" | "high" | "extreme";

export type SessionTemplate = {
  name: string;
  /** Minutes. */
  duration: number;
  /** "1" or "2–6". */
  participants: string;
  difficulty: string;
  aiCoach: boolean;
};

export type SkillCategory = {
  slug: string;
  name: string;
  /** An icon name of lucide. */
  icon: string;
  keywords: string[];
  requiresWaiver: boolean;
  riskLevel: RiskLevel;
  riskIndicator: string | null;
  popular: boolean;
  sessionTemplates: SessionTemplate[];
};

export type SkillList = { skills: { name: string; category: string }[]; categories: SkillCategory[]; total: number };

/** Milliseconds until a loaded list is stale (SPEC 9). */
export const SKILLS_LIFETIME = 300_000;

/** List the categories. Responses are cached per parameters; errors are not (SPEC 7.2). */
export function skillsQuery(popular: boolean) {
  return queryOptions({
    queryKey: ["skills", "list", { popular }],
    queryFn: ({ signal }) => api.get<SkillList>("/skills", { query: popular ? { popular } : {}, signal }),
    staleTime: SKILLS_LIFETIME,
    gcTime: SKILLS_LIFETIME,
  });
}

export function useSkills(popular: boolean, enabled: boolean) {
  return useQuery({ ...skillsQuery(popular), enabled });
}

/**
 * Load the bundled categories, shown when the server fails (SPEC 8.3). They are a separate file that the service
 * worker precaches.
 */
export function useBundledCategories(enabled: boolean) {
  return useQuery({
    queryKey: ["skills", "bundled"],
    queryFn: async () => (await import("@porchlight/shared/catalog.gen.json")).default.categories as SkillCategory[],
    enabled,
    networkMode: "always",
    staleTime: Infinity,
  });
}

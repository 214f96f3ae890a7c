import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";

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
  /** A name from lucide. */
  icon: string;
  keywords: string[];
  requiresWaiver: boolean;
  riskLevel: RiskLevel;
  riskIndicator: string | null;
  popular: boolean;
  sessionTemplates: SessionTemplate[];
};

export type SkillList = { skills: { name: string; category: string }[]; categories: SkillCategory[]; total: number };

/** Milliseconds a loaded list counts as fresh (SPEC 9). */
export const SKILLS_LIFETIME = 300_000;

/** A list per set of parameters. Only answers are kept; a failure is asked for again the next time (SPEC 7.2). */
export function skillsQuery(popular: boolean) {
  return queryOptions({
    queryKey: ["skills", "list", { popular }],
    queryFn: ({ signal }) => api.get<SkillList>("/skills", { query: popular ? { popular } : {}, signal }),
    staleTime: SKILLS_LIFETIME,
    gcTime: SKILLS_LIFETIME,
  });
}

export function useSkills(popular: boolean, wanted: boolean) {
  return useQuery({ ...skillsQuery(popular), enabled: wanted });
}

/** What the page shows when the server cannot say (SPEC 8.3). A file of its own; the service worker keeps it at hand. */
export function useBundledCategories(wanted: boolean) {
  return useQuery({
    queryKey: ["skills", "bundled"],
    queryFn: async () => (await import("@porchlight/shared/catalogue.gen.json")).default.categories as SkillCategory[],
    enabled: wanted,
    networkMode: "always",
    staleTime: Infinity,
  });
}

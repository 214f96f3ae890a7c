import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type SkillCategory = Schemas["SkillCategoryResponse"];
export type SessionTemplate = Schemas["SessionTemplateResponse"];
export type SkillList = Schemas["SkillsData"];
export type RiskLevel = SkillCategory["riskLevel"];

/** Milliseconds until a loaded list is stale (SPEC 9). */
export const SKILLS_LIFETIME = 300_000;

/** List the categories. Responses are cached per parameters; errors are not (SPEC 7.2). */
export function skillsQuery(popular: boolean) {
  return queryOptions({
    queryKey: ["skills", "list", { popular }],
    queryFn: ({ signal }) => api.GET("/skills", { params: { query: popular ? { popular } : {} }, signal }),
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

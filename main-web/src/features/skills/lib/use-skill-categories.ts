import { useDeferredValue, useMemo } from "react";
import { useBundledCategories, useSkills } from "../api/get-skills";
import { filterCategories } from "./labels";

/**
 * The categories of skills that a search leaves, those of the app's own files when the server fails.
 * @param isPopularOnly whether only popular skills are loaded
 * @returns `categories`, null while they load; `skillCount`, the number of all skills, 0 before it is known
 */
export function useSkillCategories(search: string, isPopularOnly: boolean) {
  const all = useSkills(false, !isPopularOnly);
  const popular = useSkills(true, isPopularOnly);
  const skills = isPopularOnly ? popular : all;
  const bundled = useBundledCategories(skills.isError);
  const waits = skills.isPending || (skills.isError && bundled.isPending);
  const allCategories = skills.data?.categories ?? bundled.data;
  const filtered = useMemo(
    () => (waits ? null : filterCategories(allCategories ?? [], search)),
    [waits, allCategories, search],
  );
  // Deferred, because rendering ten long cards at once blocks slow phones.
  const categories = useDeferredValue(filtered, null);
  return { skills, categories, skillCount: all.data?.skills.length ?? 0 };
}

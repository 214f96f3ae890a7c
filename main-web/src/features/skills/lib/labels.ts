import type { MatchDetail } from "../api/get-matches";
import type { SkillCategory } from "../api/get-skills";

/** The address of the tab with the matches. */
export const MATCHES_ADDRESS = "/skills?tab=ai-coach";

/** Keywords on a card, and details of a match (SPEC 9). */
export const KEYWORDS_SHOWN = 6;
export const DETAILS_SHOWN = 2;

/** Tell whether a category shows the risk badge and warning: high or extreme (SPEC 3). */
export function isRisky(category: SkillCategory): boolean {
  return category.riskLevel === "high" || category.riskLevel === "extreme";
}

/** Return the categories whose name or keywords contain the text, ignoring case (SPEC 5). */
export function filterCategories(categories: readonly SkillCategory[], text: string): readonly SkillCategory[] {
  const searchText = text.trim().toLowerCase();
  if (!searchText) return categories;
  return categories.filter(({ name, keywords }) =>
    [name, ...keywords].some((keyword) => keyword.toLowerCase().includes(searchText)),
  );
}

/** Return the keywords shown on a card: matching ones first, at most six. */
export function shownKeywords(category: SkillCategory, text: string): string[] {
  const searchText = text.trim().toLowerCase();
  const matching = searchText ? category.keywords.filter((keyword) => keyword.toLowerCase().includes(searchText)) : [];
  return [...new Set([...matching, ...category.keywords])].slice(0, KEYWORDS_SHOWN);
}

/** Format participants: "1" as "1 person", "2–6" as "2–6 people". */
export function participantsLabel(participants: string): string {
  return participants === "1" ? "1 person" : `${participants} people`;
}

/** Describe why two users match; null for an unknown type. */
export function detailLabel(detail: MatchDetail): string | null {
  switch (detail.type) {
    case "direct_match":
      return `Teaches ${detail.teacherSkill}`;
    case "reverse_match":
      return `Wants to learn ${detail.learnerWant}`;
    case "location_bonus":
      return `Near you, in ${detail.city}`;
    default:
      return null;
  }
}

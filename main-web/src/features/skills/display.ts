import type { MatchDetail } from "./get-matches";
import type { SkillCategory } from "./get-skills";

/** Keywords on a card, and details of a match (SPEC 9). */
export const KEYWORDS_SHOWN = 6;
export const DETAILS_SHOWN = 2;

/** High and extreme categories carry the badge and the warning (SPEC 3). */
export function isRisky(category: SkillCategory): boolean {
  return category.riskLevel === "high" || category.riskLevel === "extreme";
}

/** Categories whose name or one of whose keywords contains the text, in any case (SPEC 5). */
export function filterCategories(categories: readonly SkillCategory[], text: string): readonly SkillCategory[] {
  const sought = text.trim().toLowerCase();
  if (!sought) return categories;
  return categories.filter(({ name, keywords }) => [name, ...keywords].some((word) => word.toLowerCase().includes(sought)));
}

/** The keywords a card shows: those that were looked for first, six at most. */
export function shownKeywords(category: SkillCategory, text: string): string[] {
  const sought = text.trim().toLowerCase();
  const found = sought ? category.keywords.filter((word) => word.toLowerCase().includes(sought)) : [];
  return [...new Set([...found, ...category.keywords])].slice(0, KEYWORDS_SHOWN);
}

/** 90 -> "1 h 30 min". */
export function durationLabel(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** "1" -> "1 person", "2–6" -> "2–6 people". */
export function participantsLabel(participants: string): string {
  return participants === "1" ? "1 person" : `${participants} people`;
}

/** Why two people fit, in words; null for a kind this release does not know. */
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

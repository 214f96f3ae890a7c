export type DisplayLevel = "low" | "medium" | "high";

const FORM_HIGH = ["physical-training", "construction", "automotive", "outdoor-activities", "sports"];
const FORM_MEDIUM = ["cooking", "arts-crafts", "home-repair", "gardening"];
const MODAL_HIGH = [...FORM_HIGH, "fitness", "martial-arts"];
const MODAL_MEDIUM = [...FORM_MEDIUM, "woodworking", "electrical"];

/** Return the level that a category's badge shows (SPEC 5). The server decides the waiver's level. */
export function formLevel(category: string): DisplayLevel {
  if (FORM_HIGH.includes(category)) return "high";
  return FORM_MEDIUM.includes(category) ? "medium" : "low";
}

/** Return the level that the waiver dialog shows for a category, found by substring (SPEC 5). */
export function modalLevel(category: string): DisplayLevel {
  const name = category.toLowerCase().replaceAll(" ", "-");
  if (MODAL_HIGH.some((part) => name.includes(part))) return "high";
  return MODAL_MEDIUM.some((part) => name.includes(part)) ? "medium" : "low";
}

const ORDER = ["low", "medium", "high", "extreme"] as const;
export type WaiverLevel = (typeof ORDER)[number];

/** Return the higher of two levels. */
export function higherLevel(a: WaiverLevel, b: WaiverLevel): WaiverLevel {
  return ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b;
}

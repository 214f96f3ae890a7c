/** The names of the plans by slug (SPEC 6). */
export const PLAN_NAMES: Readonly<Record<string, string>> = {
  community: "Community Member",
  "skill-sharer": "Skill Sharer",
  "premium-angel": "Premium Angel",
};

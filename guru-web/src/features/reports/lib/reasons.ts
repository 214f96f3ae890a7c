import type { Report } from "../api/create-report";

/** The reasons for a report, and their labels. */
export const REASONS: readonly [Report["reason"], string][] = [
  ["spam", "Spam or advertising"],
  ["scam", "Scam or fraud"],
  ["offensive", "Hateful or offensive"],
  ["dangerous", "Dangerous or illegal"],
  ["impersonation", "Pretends to be someone else"],
  ["rights", "Uses someone's work without permission"],
  ["other", "Something else"],
];

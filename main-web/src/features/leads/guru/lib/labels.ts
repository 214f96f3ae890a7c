import type { LeadStatus } from "./types";

export const LEAD_STATUS_LABELS: Record<LeadStatus, string> = {
  new: "New",
  read: "Read",
  answered: "Replied",
  archived: "Archived",
};
export const LEAD_STATUS_TONES = { new: "warning", read: "neutral", answered: "good", archived: "neutral" } as const;

import type { LeadStatus, PostStatus } from "./types";
import { ApiError } from "@porchlight/shared/client";

export const POST_STATUS_LABELS: Record<PostStatus, string> = {
  draft: "Draft",
  scheduled: "Scheduled",
  published: "Live",
};
export const POST_STATUS_TONES = { draft: "neutral", scheduled: "warning", published: "green" } as const;
/** Replaces "Live" while visitors cannot open the site. */
export const SITE_OFFLINE_LABEL = "Site offline";
export const LEAD_STATUS_LABELS: Record<LeadStatus, string> = {
  new: "New",
  read: "Read",
  answered: "Replied",
  archived: "Archived",
};
export const LEAD_STATUS_TONES = { new: "warning", read: "neutral", answered: "green", archived: "neutral" } as const;

/** Return the message of an error. */
export function errorMessage(reason: unknown): string {
  return reason instanceof Error ? reason.message : "Something went wrong. Please try again.";
}

/** Tell whether the resource was changed in another tab or on another device. */
export function isEditConflict(reason: unknown): boolean {
  return reason instanceof ApiError && reason.code === "changed_elsewhere";
}

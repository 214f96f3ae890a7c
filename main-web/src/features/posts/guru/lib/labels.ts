import type { PostStatus } from "./types";

export const POST_STATUS_LABELS: Record<PostStatus, string> = {
  draft: "Draft",
  scheduled: "Scheduled",
  published: "Live",
  hidden: "Hidden by our team",
};
export const POST_STATUS_TONES = {
  draft: "neutral",
  scheduled: "warning",
  published: "good",
  hidden: "danger",
} as const;
/** Replaces "Live" while visitors cannot open the site. */
export const SITE_OFFLINE_LABEL = "Site offline";

import type { PostStatus } from "./types";

export const POST_STATUS_LABELS: Record<PostStatus, string> = {
  draft: "Draft",
  scheduled: "Scheduled",
  published: "Live",
};
export const POST_STATUS_TONES = { draft: "neutral", scheduled: "warning", published: "green" } as const;
/** Replaces "Live" while visitors cannot open the site. */
export const SITE_OFFLINE_LABEL = "Site offline";

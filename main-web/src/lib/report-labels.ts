/** Labels of report reasons, by API name. */
export const REPORT_REASON_LABELS: Record<string, string> = {
  spam: "Spam or advertising",
  scam: "Scam or fraud",
  offensive: "Hateful or offensive",
  dangerous: "Dangerous or illegal",
  impersonation: "Impersonates someone",
  rights: "Uses someone's work without permission",
  other: "Something else",
};

/** Labels of what can be reported. */
export const REPORT_KIND_LABELS: Record<string, string> = {
  site: "Site",
  post: "Post",
  profile: "Profile",
  listing: "Listing",
  thread: "Conversation",
  review: "Review",
};

/** What something may be reported for, in words; the API knows the names. */
export const REASONS: Record<string, string> = {
  spam: "Spam or advertising",
  scam: "Scam or fraud",
  offensive: "Hateful or offensive",
  dangerous: "Dangerous or illegal",
  impersonation: "Pretends to be somebody else",
  rights: "Uses somebody's work without permission",
  other: "Something else",
};

/** What may be reported. */
export const KINDS: Record<string, string> = { site: "Site", post: "Post", profile: "Profile", listing: "Listing" };

/** What people may report something for, in words. */
export const REASONS: Record<string, string> = {
  spam: "Spam or advertising",
  scam: "Scam or fraud",
  offensive: "Hateful or offensive",
  dangerous: "Dangerous or illegal",
  impersonation: "Pretends to be somebody else",
  rights: "Uses somebody's work without permission",
  other: "Something else",
};

export const KINDS: Record<string, string> = { site: "Site", post: "Post", profile: "Profile", listing: "Listing" };

export const OUTCOMES: Record<string, string> = { acted: "Action taken", dismissed: "No action needed" };

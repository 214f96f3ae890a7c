/** How a needed document stands, in words. `void` was sent, but does not count (any more). */
export const DOCUMENT_STATES = {
  missing: { words: "Missing", tone: "neutral" },
  pending: { words: "In review", tone: "info" },
  approved: { words: "Approved", tone: "green" },
  void: { words: "Send again", tone: "danger" },
} as const;

/** How a document that was sent stands, in words. */
export const SENT_STATES: Record<string, { words: string; tone: "neutral" | "info" | "green" | "danger" }> = {
  pending: { words: "In review", tone: "info" },
  approved: { words: "Approved", tone: "green" },
  rejected: { words: "Rejected", tone: "danger" },
  lapsed: { words: "Expired", tone: "danger" },
};

/** Kinds of documents (SPEC 3), in words. */
export const KINDS: Record<string, string> = {
  license: "License",
  insurance: "General liability insurance",
  auto: "Auto insurance",
  cert: "Certificate",
  id: "ID",
};

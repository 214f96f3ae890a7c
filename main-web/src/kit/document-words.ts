/** Kinds of documents (SPEC 3), in words. */
export const DOCUMENT_TYPES = {
  license: "License",
  insurance: "General liability insurance",
  auto: "Auto insurance",
  cert: "Certificate",
  id: "ID",
} as const;

export type DocumentType = keyof typeof DOCUMENT_TYPES;

/** How a document stands, in words. */
export const DOCUMENT_STATUS = {
  pending: { words: "In review", tone: "info" },
  approved: { words: "Approved", tone: "green" },
  rejected: { words: "Rejected", tone: "danger" },
  lapsed: { words: "Expired", tone: "danger" },
} as const;

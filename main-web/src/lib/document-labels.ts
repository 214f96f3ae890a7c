/** Labels of document types (SPEC 3). */
export const DOCUMENT_TYPES = {
  license: "License",
  insurance: "General liability insurance",
  auto: "Auto insurance",
  cert: "Certificate",
  id: "ID",
} as const;

export type DocumentType = keyof typeof DOCUMENT_TYPES;

/** Labels and tones of document statuses. */
export const DOCUMENT_STATUS = {
  pending: { label: "In review", tone: "info" },
  approved: { label: "Approved", tone: "good" },
  rejected: { label: "Rejected", tone: "danger" },
  lapsed: { label: "Expired", tone: "danger" },
  incomplete: { label: "Incomplete", tone: "danger" },
} as const;

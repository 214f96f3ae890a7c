import { DOCUMENT_STATUS, DOCUMENT_TYPES } from "@/lib/document-labels";

/** Labels of required documents by status. `void` was uploaded, but does not count. */
export const REQUIRED_DOCUMENT_STATUS = {
  missing: { label: "Missing", tone: "neutral" },
  pending: { label: "In review", tone: "info" },
  approved: { label: "Approved", tone: "good" },
  void: { label: "Upload again", tone: "danger" },
} as const;

type StatusLabel = { label: string; tone: "neutral" | "info" | "good" | "danger" };

/** Labels of uploaded documents by status. */
export const UPLOADED_DOCUMENT_STATUS: Readonly<Record<string, StatusLabel>> = DOCUMENT_STATUS;

/** Labels of document types (SPEC 3). */
export const DOCUMENT_TYPE_LABELS: Readonly<Record<string, string>> = DOCUMENT_TYPES;

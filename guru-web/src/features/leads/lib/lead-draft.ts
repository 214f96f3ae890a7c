import { type Lead, leadFields } from "./lead";

/** The unsent form and the key of the last attempt, stored so that a reload or crash loses nothing. */
export interface LeadDraft {
  lead: Partial<Lead>;
  key: string | null;
  fingerprint: string | null;
}

const STORAGE_KEY = "porchlight.lead";

// Session storage can be blocked; the form then works without a draft.

export function readDraft(): LeadDraft | null {
  try {
    const stored = sessionStorage.getItem(STORAGE_KEY);
    if (stored === null) return null;
    const value: unknown = JSON.parse(stored);
    return isDraft(value) ? value : null;
  } catch {
    return null;
  }
}

export function writeDraft(draft: LeadDraft): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(draft));
  } catch {
    // See above.
  }
}

export function clearDraft(): void {
  try {
    sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // See above.
  }
}

function isDraft(value: unknown): value is LeadDraft {
  if (typeof value !== "object" || value === null || !("lead" in value)) return false;
  const { lead } = value;
  if (typeof lead !== "object" || lead === null) return false;
  return Object.entries(lead).every(
    ([field, content]) =>
      (leadFields as readonly string[]).includes(field) &&
      typeof content === (field === "consent" ? "boolean" : "string"),
  );
}

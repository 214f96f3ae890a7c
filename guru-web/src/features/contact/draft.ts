import { type Lead, leadFields } from "./lead";

/** What was typed and the key it was last sent with, kept until it is sent: a reload or a crash loses nothing. */
export interface Draft {
  lead: Partial<Lead>;
  key: string | null;
  fingerprint: string | null;
}

const NAME = "porchlight.lead";

export function readDraft(): Draft | null {
  try {
    const stored = sessionStorage.getItem(NAME);
    if (stored === null) return null;
    const value: unknown = JSON.parse(stored);
    return isDraft(value) ? value : null;
  } catch {
    // Storage may be forbidden; the form works without it.
    return null;
  }
}

export function writeDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(draft));
  } catch {
    // As above.
  }
}

export function clearDraft(): void {
  try {
    sessionStorage.removeItem(NAME);
  } catch {
    // As above.
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== "object" || value === null || !("lead" in value)) return false;
  const { lead } = value;
  if (typeof lead !== "object" || lead === null) return false;
  return Object.entries(lead).every(
    ([field, typed]) =>
      (leadFields as readonly string[]).includes(field) && typeof typed === (field === "consent" ? "boolean" : "string"),
  );
}

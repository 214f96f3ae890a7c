import type { WaiverValues } from "./waiver-values";

const STORAGE_KEY = "porchlight.waiver";

/** A waiver that a visitor filled in before signing in. It stays in this tab. */
export type WaiverDraft = { exchangeId: string; values: WaiverValues };

/** Return the stored draft, or null. */
export function readDraft(): WaiverDraft | null {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "null") as WaiverDraft | null;
  } catch {
    return null;
  }
}

export function saveDraft(draft: WaiverDraft) {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(draft));
  } catch {
    // Storage is full or unavailable: the form is empty after signing in.
  }
}

export function deleteDraft() {
  try {
    sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // Storage is unavailable, so there is no draft.
  }
}

import { useState } from "react";

/** What a person types into the form of a review. No stars are 0. */
export type ReviewValues = { stars: number; body: string; privateNote: string };

export const EMPTY_REVIEW: ReviewValues = { stars: 0, body: "", privateNote: "" };
export const MAX_WORDS = 2000;

const storageKey = (of: string) => `porchlight.review.${of}`;

function readDraft(of: string): ReviewValues | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey(of)) ?? "null");
    return isReview(stored) ? stored : null;
  } catch {
    return null;
  }
}

function isReview(value: unknown): value is ReviewValues {
  if (typeof value !== "object" || value === null) return false;
  const { stars, body, privateNote } = value as Partial<ReviewValues>;
  return typeof stars === "number" && typeof body === "string" && typeof privateNote === "string";
}

/** The values of a form, kept in the tab until they are sent. `of` names what is reviewed, `saved` is what was sent. */
export function useReviewDraft(of: string, saved: ReviewValues = EMPTY_REVIEW) {
  const [values, setValues] = useState(() => readDraft(of) ?? saved);
  return {
    values,
    change(next: Partial<ReviewValues>) {
      const changed = { ...values, ...next };
      setValues(changed);
      try {
        sessionStorage.setItem(storageKey(of), JSON.stringify(changed));
      } catch {
        // Storage is full or unavailable: the form is empty after leaving the page.
      }
    },
    forget() {
      try {
        sessionStorage.removeItem(storageKey(of));
      } catch {
        // Storage is unavailable, so there is no draft.
      }
    },
  };
}

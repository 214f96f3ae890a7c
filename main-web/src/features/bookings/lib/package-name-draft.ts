/** The name that someone typed to buy a package. It survives Stripe's page, from which they may come back. */

const storageKey = (label: string, id: string) => `porchlight.package-name.${label}.${id}`;

/** Return the name that was typed, or null. */
export function readNameDraft(label: string, id: string): string | null {
  try {
    return sessionStorage.getItem(storageKey(label, id));
  } catch {
    return null;
  }
}

export function saveNameDraft(label: string, id: string, name: string) {
  try {
    sessionStorage.setItem(storageKey(label, id), name);
  } catch {
    // Storage is full or unavailable: the profile's name shows after leaving the page.
  }
}

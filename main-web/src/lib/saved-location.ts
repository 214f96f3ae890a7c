const STORAGE_KEY = "porchlight.location";
const MAX_LENGTH = 80;

/** Return the location last chosen on this device, or null when there is none or storage is unavailable. */
export function readSavedLocation(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY)?.trim().slice(0, MAX_LENGTH) || null;
  } catch {
    return null;
  }
}

export function saveLocation(label: string) {
  try {
    localStorage.setItem(STORAGE_KEY, label);
  } catch {
    // Storage is full or unavailable: the location is asked for again next time.
  }
}

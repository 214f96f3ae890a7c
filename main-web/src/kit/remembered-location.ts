const KEY = "porchlight.location";

/** The place chosen on this device before, or null. Storage may be refused; then nothing is remembered. */
export function readLocation(): string | null {
  try {
    return localStorage.getItem(KEY)?.trim().slice(0, 80) || null;
  } catch {
    return null;
  }
}

export function rememberLocation(label: string) {
  try {
    localStorage.setItem(KEY, label);
  } catch {
    // A full or refused storage only costs the memory.
  }
}

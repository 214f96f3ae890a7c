const SIGNED_IN = "porchlight.signed-in";

/**
 * Whether someone signed in on this browser and has not left. Only a hint: it decides if the identity service is
 * worth loading on arrival, so that visitors who never sign in never download it.
 */
export function wasSignedIn(): boolean {
  try {
    return localStorage.getItem(SIGNED_IN) !== null;
  } catch {
    return true;
  }
}

/** Milliseconds since the cookie of this session was last renewed; Infinity when unknown. */
export function cookieAge(): number {
  try {
    const renewed = Number(localStorage.getItem(SIGNED_IN));
    return renewed > 0 ? Date.now() - renewed : Infinity;
  } catch {
    return Infinity;
  }
}

/** @param cookieRenewed milliseconds of the epoch at which the cookie was last renewed; 0 when it was not */
export function rememberSignedIn(cookieRenewed: number) {
  try {
    localStorage.setItem(SIGNED_IN, String(cookieRenewed));
  } catch {
    // Refused storage only costs a download on arrival.
  }
}

export function forgetSignedIn() {
  try {
    localStorage.removeItem(SIGNED_IN);
  } catch {
    // As above.
  }
}

/** Calls back when another tab signs in or out. */
export function watchOtherTabs(changed: () => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === SIGNED_IN || event.key === null) changed();
  };
  window.addEventListener("storage", listen);
  return () => window.removeEventListener("storage", listen);
}

const SIGNED_IN = "porchlight.signed-in";

/**
 * Tell whether a user signed in on this browser and did not sign out. Only a hint: it decides whether to load the
 * identity provider on arrival, so that other visitors never download it.
 */
export function wasSignedIn(): boolean {
  try {
    return localStorage.getItem(SIGNED_IN) !== null;
  } catch {
    return true;
  }
}

/** Return the milliseconds since this session's cookie was renewed; Infinity when unknown. */
export function cookieAge(): number {
  try {
    const renewed = Number(localStorage.getItem(SIGNED_IN));
    return renewed > 0 ? Date.now() - renewed : Infinity;
  } catch {
    return Infinity;
  }
}

/** @param cookieRenewed time of the cookie's renewal in milliseconds of the epoch; 0 when it was not renewed */
export function rememberSignedIn(cookieRenewed: number) {
  try {
    localStorage.setItem(SIGNED_IN, String(cookieRenewed));
  } catch {
    // Without storage the provider is loaded on arrival.
  }
}

export function forgetSignedIn() {
  try {
    localStorage.removeItem(SIGNED_IN);
  } catch {
    // As above.
  }
}

/** Call back when another tab signs in or out. */
export function watchOtherTabs(changed: () => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === SIGNED_IN || event.key === null) changed();
  };
  window.addEventListener("storage", listen);
  return () => window.removeEventListener("storage", listen);
}

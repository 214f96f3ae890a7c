const KEY = "porchlight.held-booking";

type HeldBooking = { token: string; until: number };

/**
 * Remember the time that someone is booking in this browser: the link of an email opens another tab, which leads back
 * to it.
 * @param until when the hold ends, in milliseconds
 */
export function rememberHeldBooking(token: string, until: number) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ token, until } satisfies HeldBooking));
  } catch {
    // Storage is full or unavailable: other tabs don't know of the booking.
  }
}

/** Return the token of the hold that was remembered, or null without one and once it has ended. */
export function heldBooking(now = Date.now()): string | null {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "null") as Partial<HeldBooking> | null;
    const { token, until } = stored ?? {};
    return typeof token === "string" && typeof until === "number" && until > now ? token : null;
  } catch {
    return null;
  }
}

/** Forget the hold: it was booked or given up. */
export function forgetHeldBooking() {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Storage is unavailable, so nothing is remembered.
  }
}

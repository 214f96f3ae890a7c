/** How often a page asks again while a payment is on its way, in milliseconds. */
export const POLL_INTERVAL_MS = 2000;

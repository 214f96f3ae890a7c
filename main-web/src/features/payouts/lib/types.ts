import type { components } from "@porchlight/shared/api.gen";

export type Connection = components["schemas"]["ConnectionStatus"];
export type RedirectUrl = components["schemas"]["RedirectUrl"];

export type Amount = components["schemas"]["Amount"];
/** An instant payout of everything that is available; `gross` is `net` with the fee. Cents. */
export type InstantOffer = components["schemas"]["InstantOffer"];
/** What an instant payout takes: `net` arrives, and `gross` leaves the balance, with the fee. Cents. */
export type PayoutQuote = components["schemas"]["PayoutQuote"];
/** The balance (SPEC 3), with what Stripe doesn't have yet: `held` and `debt` in cents. */
export type Balance = components["schemas"]["PayoutBalance"];
export type InstantPayoutResult = components["schemas"]["InstantPayoutResult"];
export type Payout = components["schemas"]["PayoutItem"];
export type PayoutList = components["schemas"]["PayoutPage"];
export type Schedule = components["schemas"]["Schedule"];

/** Tell whether the account is connected, with charges, payouts and details all true (SPEC 4). */
export function isComplete(connection: Connection): boolean {
  const { connected, charges_enabled, payouts_enabled, details_submitted } = connection;
  return connected && charges_enabled && payouts_enabled && details_submitted;
}

/** The USD part of a balance, in cents; only it can be paid out (SPEC 9). */
export function usdCents(amounts: readonly Amount[]): number {
  return amounts
    .filter(({ currency }) => currency.toLowerCase() === "usd")
    .reduce((sum, { amount }) => sum + amount, 0);
}

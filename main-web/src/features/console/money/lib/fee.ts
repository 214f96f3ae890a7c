import type { GuruFee } from "../../lib/types";

const BASIS_POINTS = 10_000;

/** Return the platform's fee on a price in cents, as the server computes it: rounded half to even, at most the price. */
export function feeCents(priceCents: number, { basisPoints, minimumCents }: GuruFee): number {
  const product = priceCents * basisPoints;
  const share = Math.floor(product / BASIS_POINTS);
  const rest = product % BASIS_POINTS;
  const isRoundedUp = 2 * rest > BASIS_POINTS || (2 * rest === BASIS_POINTS && share % 2 === 1);
  return Math.min(Math.max(isRoundedUp ? share + 1 : share, minimumCents), priceCents);
}

/** Return whether the fee is the minimum instead of the share. */
export const isMinimum = (priceCents: number, fee: GuruFee) =>
  priceCents * fee.basisPoints < fee.minimumCents * BASIS_POINTS;

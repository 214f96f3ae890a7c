import type { CardPayments } from "./types";

const BASIS_POINTS = 10_000;

/** What the platform keeps of a price in cents, as the server computes it: rounded half to even, at most the price. */
export function feeCents(
  priceCents: number,
  { feeBps, feeMinimumCents }: Pick<CardPayments, "feeBps" | "feeMinimumCents">,
): number {
  const share = Math.floor((priceCents * feeBps) / BASIS_POINTS);
  const rest = (priceCents * feeBps) % BASIS_POINTS;
  const isUp = 2 * rest > BASIS_POINTS || (2 * rest === BASIS_POINTS && share % 2 === 1);
  return Math.min(Math.max(share + Number(isUp), feeMinimumCents), priceCents);
}

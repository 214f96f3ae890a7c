import type { InstantOffer } from "./types";

/** Return what an instant payout of `net` cents costs: the fee leaves the balance on top of it, rounded up. */
export function payoutTerms(offer: InstantOffer, net: number) {
  const fee = offer.net === 0 ? 0 : Math.ceil((net * offer.fee) / offer.net);
  return { gross: net + fee, fee, net };
}

import { LoadNotice } from "@/components/ui/load-notice";
import { Hint } from "@/components/ui/hint";
import { useCardPayments } from "../api/get-card-payments";
import { feeCents } from "../lib/fee";
import type { CardPayments } from "../lib/types";
import { formatCents } from "@porchlight/shared/format/money";

type FeeLineProps = {
  /** Null for what is no price. */
  priceCents: number | null;
  /** People pay the service by card already. */
  isPaidByCard: boolean;
};

/** What the guru gets of a price by card, and what the platform keeps. Nothing for a guru who takes no cards. */
export function FeeLine({ priceCents, isPaidByCard }: FeeLineProps) {
  const cards = useCardPayments();
  if (!priceCents) return null;
  if (!cards.data) return <LoadNotice what="the fee" queries={[cards]} />;
  if (cards.data.state !== "ready" && !isPaidByCard) return null;
  return <Hint aria-live="polite">{feeText(priceCents, cards.data)}</Hint>;
}

function feeText(priceCents: number, cards: CardPayments): string {
  const { feeBps, feeMinimumCents, minimumCents } = cards;
  if (priceCents < minimumCents) return `Cards take prices from ${formatCents(minimumCents)}.`;
  const fee = feeCents(priceCents, cards);
  const share = fee <= feeMinimumCents ? "the smallest fee" : `${feeBps / 100}%`;
  return `You get ${formatCents(priceCents - fee)}. Porchlight keeps ${formatCents(fee)} (${share}).`;
}

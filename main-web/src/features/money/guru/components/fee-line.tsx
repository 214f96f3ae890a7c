import { LoadNotice } from "@/components/ui/load-notice";
import { useDebounced } from "@/lib/use-debounced";
import { Hint } from "@/components/ui/hint";
import { useFee } from "../api/get-fee";
import { formatCents } from "@porchlight/shared/format/money";

const DEBOUNCE_MS = 300; // Milliseconds without typing until the fee is requested.

/** What the guru gets of a price, and what the platform keeps. Shows nothing for a price that is free or not valid. */
export function FeeLine({ priceCents }: { priceCents: number | null }) {
  const fee = useFee(useDebounced(priceCents ?? 0, DEBOUNCE_MS));
  if (!priceCents) return null;
  if (!fee.data) return <LoadNotice what="the fee" queries={[fee]} />;
  const { takesPayments, planName, basisPoints, minimumCents, keptCents, netCents } = fee.data;
  if (keptCents + netCents !== priceCents) return null; // the fee on an earlier price
  const share = keptCents <= minimumCents ? "the smallest fee" : `${basisPoints / 100}%`;
  return (
    <Hint aria-live="polite">
      {takesPayments ? "You" : `With ${planName}, you`} get {formatCents(netCents)}. Porchlight keeps{" "}
      {formatCents(keptCents)} ({share}).
    </Hint>
  );
}

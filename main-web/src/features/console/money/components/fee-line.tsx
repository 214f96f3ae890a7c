import { LoadNotice } from "@/components/ui/load-notice";
import { useFee } from "../api/get-fee";
import { feeCents, isMinimum } from "../lib/fee";
import styles from "../../components/console.module.css";
import { formatCents } from "@porchlight/shared/format/money";

/** What the guru gets of a price, and what the platform keeps. Shows nothing for a price that is free or not valid. */
export function FeeLine({ priceCents }: { priceCents: number | null }) {
  const fee = useFee();
  if (!priceCents) return null;
  if (!fee.data) return <LoadNotice what="the fee" queries={[fee]} />;
  const { takesPayments, planName, basisPoints } = fee.data;
  const kept = feeCents(priceCents, fee.data);
  const share = isMinimum(priceCents, fee.data) ? "the smallest fee" : `${basisPoints / 100}%`;
  return (
    <p className={styles.hint} aria-live="polite">
      {takesPayments ? "You" : `With ${planName}, you`} get {formatCents(priceCents - kept)}. Porchlight keeps{" "}
      {formatCents(kept)} ({share}).
    </p>
  );
}

import { useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { usePackagePurchase } from "../api/get-package-purchase";
import type { PackagePurchase } from "./package-texts";
import { POLL_INTERVAL_MS } from "./poll-interval";
import { useHasPassed } from "./use-deadline";

/** The result that Stripe's page adds to the page that it leads back to. */
const RESULT = "payment";
const WAIT_MS = 3 * 60_000; // until people ask again themselves

/** Tell whether the payment for a package may still arrive, or the package that was paid is about to. */
export const isUnderWay = ({ state, grantId }: PackagePurchase) =>
  state === "opening" || state === "open" || (state === "paid" && grantId === null);

/** Get a purchase of the user, and wait for Stripe: until its page is open, and until it confirms the payment. */
export function usePurchaseWait(id: string) {
  const [search, setSearch] = useSearchParams();
  const isReturning = search.get(RESULT) === "done";
  const [since, setSince] = useState(Date.now);
  const isOver = useHasPassed(since + WAIT_MS);
  const purchase = usePackagePurchase(id, (data) => (data && !isOver && isUnderWay(data) ? POLL_INTERVAL_MS : false));
  const { data } = purchase;
  const hasEnded = data !== undefined && !isUnderWay(data);

  // The address loses the result, so that a reload or a bookmark doesn't repeat it.
  useEffect(() => {
    if (!hasEnded || !isReturning) return;
    setSearch(
      (now) => {
        now.delete(RESULT);
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [hasEnded, isReturning, setSearch]);

  return {
    purchase,
    /** The person comes from paying. */
    isReturning,
    /** The page no longer asks by itself. */
    isOver,
    askAgain: () => {
      setSince(Date.now());
      void purchase.refetch();
    },
  };
}

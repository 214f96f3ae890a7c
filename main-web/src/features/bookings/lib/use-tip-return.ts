import { useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { useTips } from "../api/get-tips";
import { isTipOnItsWay } from "./tip-texts";
import { useHasPassed } from "./use-deadline";
import { POLL_INTERVAL_MS } from "./poll-interval";

/** The result that Stripe's page adds to the page of the session that it leads back to. */
const RESULT = "tip";
const WAIT_MS = 60_000; // then the page stops asking

/** Get the tips for a session. After a return from Stripe's page, wait until the tip is confirmed. */
export function useTipReturn(id: string) {
  const [search, setSearch] = useSearchParams();
  const [isReturning] = useState(search.get(RESULT) === "done");
  const [since] = useState(Date.now);
  const isOver = useHasPassed(since + WAIT_MS);
  const tips = useTips(id, (data) =>
    isReturning && !isOver && data && isTipOnItsWay(data) ? POLL_INTERVAL_MS : false,
  );

  // The address loses the result, so that a reload or a bookmark doesn't repeat it.
  useEffect(() => {
    if (!search.has(RESULT)) return;
    setSearch(
      (now) => {
        now.delete(RESULT);
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [search, setSearch]);

  const isPaying = isReturning && tips.data !== undefined && isTipOnItsWay(tips.data);
  return { tips, isReturning, isConfirming: isPaying && !isOver };
}

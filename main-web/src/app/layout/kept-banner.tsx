import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useSyncExternalStore, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { isKeptAnswer, oldestKeptAnswer, subscribeKeptAnswers } from "@/lib/kept-answers";
import { formatDateTime, formatLocalClock } from "@porchlight/shared/format/dates";

/** A server that did not reply is asked again after this time. */
const ASK_AGAIN_MS = 15_000;

type KeptBannerProps = { online: boolean; offline: string; banner: (content: ReactNode) => ReactNode };

/** Say that the page shows its last answers, and from when they are. */
export function KeptBanner({ online, offline, banner }: KeptBannerProps) {
  const queries = useQueryClient();
  const subscribe = useCallback(
    (notify: () => void) => {
      const stops = [subscribeKeptAnswers(notify), queries.getQueryCache().subscribe(notify)];
      return () => stops.forEach((stop) => stop());
    },
    [queries],
  );
  const since = useSyncExternalStore(subscribe, () =>
    oldestKeptAnswer((hash) => queries.getQueryCache().get(hash)?.isActive() ?? false),
  );
  const askAgain = useCallback(
    () => void queries.refetchQueries({ type: "active", predicate: ({ queryHash }) => isKeptAnswer(queryHash) }),
    [queries],
  );
  const isWaiting = online && since !== null;
  useEffect(() => {
    if (!isWaiting) return;
    askAgain(); // the connection is back, or the server is asked once more
    const timer = setInterval(askAgain, ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isWaiting, askAgain]);

  if (since === null) return online ? null : banner(offline);
  const asOf = `As of ${timeText(since)}.`;
  if (!online) return banner(`${offline} ${asOf}`);
  return banner(
    <>
      Porchlight isn't answering right now. {asOf}
      <Button variant="ghost" size="sm" onClick={askAgain}>
        Try again
      </Button>
    </>,
  );
}

/** Format as "4:50 PM", with the day unless it is today's. */
function timeText(at: number): string {
  const iso = new Date(at).toISOString();
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return isToday ? formatLocalClock(iso) : formatDateTime(iso);
}

import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { DayGrid } from "@/components/ui/day-grid";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { mayBeFree } from "../lib/may-be-free";
import { useNextSlots } from "../api/get-slots";
import { useCreateHold, type WantedTime } from "../api/create-hold";
import { bookPath, guruTimesUrl } from "../lib/book-page-url";
import { useFreeDays } from "../lib/use-free-days";
import styles from "./book-page.module.css";
import { TimeError } from "./time-error";
import { formatFullDay, formatMonth } from "@porchlight/shared/format/calendar-days";
import { formatClock, formatSessionStart, formatViewerTime, zoneName } from "@porchlight/shared/format/session-times";

/** Offers a time again, and the other free times of its service. */
export function ChooseTime({ wanted }: { wanted: WantedTime }) {
  const times = useNextSlots(wanted.guruLabel, wanted.serviceId);
  if (times.isError) {
    return (
      <ErrorState
        title="We couldn't load the times."
        message={times.error.message}
        onRetry={() => void times.refetch()}
        retrying={times.isFetching}
      />
    );
  }
  if (times.isPending) {
    return (
      <div aria-busy="true">
        <p role="status">Looking for times…</p>
        <Skeleton height="6rem" radius="md" />
      </div>
    );
  }
  return <Times wanted={wanted} zone={times.data.zone} />;
}

/** `zone`: the guru's. */
function Times({ wanted, zone }: { wanted: WantedTime; zone: string }) {
  const navigate = useNavigate();
  const hold = useCreateHold();
  const session = { ...wanted, zone };
  const { slots, isLoading, chosen, grid, choose, move } = useFreeDays(
    wanted.guruLabel,
    wanted.serviceId,
    session,
    "the time you chose",
  );
  // The list may still count the expired hold, so the time itself is offered until it is refused.
  const [isSameOffered, setIsSameOffered] = useState(() => Date.parse(wanted.startsAt) > Date.now());

  function keep(startsAt: string) {
    hold.mutate(
      { idempotencyKey: createIdempotencyKey(), wanted: { ...wanted, startsAt } },
      {
        onSuccess: ({ token }) => void navigate(bookPath(token), { replace: true }),
        onError: (reason) => {
          if (mayBeFree(reason)) return;
          if (startsAt === wanted.startsAt) setIsSameOffered(false);
          void slots.refetch();
        },
      },
    );
  }

  return (
    <Card as="section" className={styles.step} aria-labelledby="choose-time">
      <h2 id="choose-time" className={styles.stepTitle}>
        Choose a time
      </h2>
      {hold.isError && <TimeError error={hold.error} wanted={hold.variables.wanted} />}
      {isSameOffered && (
        <Button size="lg" block loading={hold.isPending} onClick={() => keep(wanted.startsAt)}>
          Keep {formatSessionStart(wanted.startsAt, zone)}
        </Button>
      )}
      {isSameOffered && <p>Or choose another time:</p>}
      <DayGrid {...grid} onChoose={choose} onMove={move} />
      {isLoading && !slots.isError && <p role="status">Looking for times…</p>}
      {!slots.data && slots.isError && (
        <ErrorState
          title="We couldn't load the times."
          message={slots.error.message}
          onRetry={() => void slots.refetch()}
          retrying={slots.isFetching}
        />
      )}
      {!isLoading && chosen === undefined && (
        <p role="status">
          No other free times in {formatMonth(grid.shown, false)}. <a href={guruTimesUrl(wanted)}>See later times</a>
        </p>
      )}
      {chosen !== undefined && (
        <>
          <h3 className={styles.day}>{formatFullDay(chosen.date)}</h3>
          <ul className={styles.times} aria-label={`Times on ${formatFullDay(chosen.date)}`}>
            {chosen.starts.map((startsAt) => {
              const viewerTime = formatViewerTime(startsAt, zone);
              return (
                <li key={startsAt}>
                  <Button
                    variant="secondary"
                    block
                    disabled={hold.isPending}
                    className={styles.time}
                    onClick={() => keep(startsAt)}
                  >
                    {formatClock(startsAt, zone)} {zoneName(startsAt, zone)}
                    {viewerTime !== "" && <small>{viewerTime}</small>}
                  </Button>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </Card>
  );
}

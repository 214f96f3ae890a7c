import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, Select } from "@/components/ui/field";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { mayBeFree } from "../lib/may-be-free";
import { useNextSlots } from "../api/get-slots";
import { useCreateHold, type WantedTime } from "../api/create-hold";
import { bookPath, guruTimesUrl } from "../lib/book-page-url";
import type { FreeTimes } from "../lib/types";
import styles from "./book-page.module.css";
import { TimeError } from "./time-error";
import {
  formatClock,
  formatSessionDay,
  formatSessionStart,
  formatViewerTime,
  localDay,
  zoneName,
} from "@porchlight/shared/format/session-times";

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
  return <Times wanted={wanted} times={times.data} onOutdated={() => void times.refetch()} />;
}

type TimesProps = { wanted: WantedTime; times: FreeTimes; onOutdated: () => void };

function Times({ wanted, times, onOutdated }: TimesProps) {
  const navigate = useNavigate();
  const hold = useCreateHold();
  const { zone } = times;
  const starts = times.starts.filter(({ seats }) => seats >= wanted.party);
  const days = [...new Set(starts.map(({ startsAt }) => localDay(startsAt, zone)))];
  const wantedDay = localDay(wanted.startsAt, zone);
  const [chosen, setChosen] = useState<string | null>(null);
  // The list may still count the expired hold, so the time itself is offered until it is refused.
  const [isSameOffered, setIsSameOffered] = useState(() => Date.parse(wanted.startsAt) > Date.now());
  const day = [chosen, wantedDay].find((one) => one !== null && days.includes(one)) ?? days[0];
  const ofDay = starts.filter(({ startsAt }) => localDay(startsAt, zone) === day);

  function keep(startsAt: string) {
    hold.mutate(
      { idempotencyKey: createIdempotencyKey(), wanted: { ...wanted, startsAt } },
      {
        onSuccess: ({ token }) => void navigate(bookPath(token), { replace: true }),
        onError: (reason) => {
          if (mayBeFree(reason)) return;
          if (startsAt === wanted.startsAt) setIsSameOffered(false);
          onOutdated();
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
      {day === undefined ? (
        <p>
          There are no free times right now. <a href={guruTimesUrl(wanted)}>See later times</a>
        </p>
      ) : (
        <>
          <Field label={isSameOffered ? "Or another day" : "Day"}>
            <Select value={day} onChange={(event) => setChosen(event.currentTarget.value)}>
              {days.map((one) => (
                <option key={one} value={one}>
                  {formatSessionDay(`${one}T12:00:00Z`, "UTC")}
                </option>
              ))}
            </Select>
          </Field>
          <ul className={styles.times} aria-label={`Times on ${formatSessionDay(`${day}T12:00:00Z`, "UTC")}`}>
            {ofDay.map(({ startsAt }) => {
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

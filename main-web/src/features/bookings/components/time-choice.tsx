import { Button } from "@/components/ui/button";
import { DayGrid } from "@/components/ui/day-grid";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import type { MovedSession } from "../lib/slot-days";
import { useFreeDays } from "../lib/use-free-days";
import styles from "./time-choice.module.css";
import { formatFullDay, formatMonth, monthOf } from "@porchlight/shared/format/calendar-days";
import {
  formatClock,
  formatSessionStart,
  formatViewerTime,
  localDay,
  zoneName,
} from "@porchlight/shared/format/session-times";

type TimeChoiceProps = {
  session: MovedSession;
  guruLabel: string;
  serviceId: string;
  /** The chosen start, "" for none. */
  start: string;
  onStartChange: (start: string) => void;
  /** The text when there is no free time. */
  none: string;
};

/** Choose another free time of a session's service: a day of a calendar, then a start. */
export function TimeChoice({ session, guruLabel, serviceId, start, onStartChange, none }: TimeChoiceProps) {
  const { zone } = session;
  const { slots, isLoading, chosen, grid, choose, move } = useFreeDays(
    guruLabel,
    serviceId,
    session,
    "your session now",
  );
  if (!slots.data && slots.isError) {
    return (
      <ErrorState
        title="We couldn't load the times."
        message={slots.error.message}
        onRetry={() => void slots.refetch()}
        retrying={slots.isFetching}
      />
    );
  }
  const next = slots.data?.next?.startsAt;
  return (
    <>
      <DayGrid
        {...grid}
        onChoose={(day) => {
          choose(day);
          onStartChange("");
        }}
        onMove={(day, how) => {
          move(day, how);
          if (how !== "key" || monthOf(day) !== monthOf(grid.shown)) onStartChange("");
        }}
      />
      {isLoading && (
        <div aria-busy="true">
          <p role="status" className={styles.soft}>
            Looking for times…
          </p>
          <Skeleton height="4rem" radius="md" />
        </div>
      )}
      {!isLoading && chosen === undefined && (
        <div>
          <p role="status">{next === undefined ? none : `No other free times in ${formatMonth(grid.shown, false)}.`}</p>
          {next !== undefined && (
            <Button variant="secondary" size="sm" onClick={() => choose(localDay(next, zone))}>
              Next: {formatSessionStart(next, zone)}
            </Button>
          )}
        </div>
      )}
      {chosen !== undefined && (
        <fieldset className={styles.times}>
          <legend>
            {formatFullDay(chosen.date)} ({zoneName(chosen.starts[0] ?? "", zone)})
          </legend>
          {chosen.starts.map((each) => {
            const viewerTime = formatViewerTime(each, zone);
            return (
              <label key={each} className={styles.time}>
                <input
                  type="radio"
                  name="start"
                  value={each}
                  checked={each === start}
                  onChange={() => onStartChange(each)}
                />
                <span>
                  {formatClock(each, zone)}
                  {viewerTime !== "" && <small>{viewerTime}</small>}
                </span>
              </label>
            );
          })}
        </fieldset>
      )}
    </>
  );
}

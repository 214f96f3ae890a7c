import { formatClocks, isoOf, type CalendarEvent } from "./events";
import { clipTimes, type DayAxis, type Span } from "./layout";
import styles from "./week.module.css";
import { formatLongDay, localDay } from "@porchlight/shared/format/session-times";

const LEAST_GAP_MINUTES = 15;

type AgendaProps = {
  axes: readonly DayAxis[];
  zone: string;
  events: readonly CalendarEvent[];
  free: readonly Span[];
  now: number;
  onOpen: (event: CalendarEvent) => void;
  onFree: (time: Span) => void;
};

/** The days on which something is planned, as a list, with the free times between. */
export function Agenda({ axes, zone, events, free, now, onOpen, onFree }: AgendaProps) {
  const days = axes
    .map((axis) => ({ axis, planned: events.filter(({ from, until }) => from < axis.until && until > axis.from) }))
    .filter(({ planned }) => planned.length > 0);
  const [first, last] = [axes[0], axes.at(-1)];
  if (days.length === 0 && first && last) {
    const shown = first === last ? formatLongDay(isoOf(first.from), zone) : `these ${axes.length} days`;
    return <p className={styles.none}>No sessions on {shown}.</p>;
  }
  return (
    <ol className={styles.agenda} aria-label="Days">
      {days.map(({ axis, planned }) => (
        <li key={axis.day}>
          <h2 className={styles.agendaDay} data-past={axis.until <= now || undefined}>
            {formatLongDay(isoOf(axis.from), zone)}
            {localDay(isoOf(now), zone) === axis.day && <span className={styles.today}> Today</span>}
          </h2>
          <ul className={styles.rows}>
            {[
              ...planned.map((event) => ({
                at: event.from,
                row: <EventRow key={event.id} {...{ event, axis, zone, now, onOpen }} />,
              })),
              ...clipTimes(free, axis)
                .filter(({ from, until }) => until - from >= LEAST_GAP_MINUTES * 60_000)
                .map((time) => ({ at: time.from, row: <FreeRow key={time.from} {...{ time, zone, onFree }} /> })),
            ]
              .toSorted((one, other) => one.at - other.at)
              .map(({ row }) => row)}
          </ul>
        </li>
      ))}
    </ol>
  );
}

type EventRowProps = {
  event: CalendarEvent;
  axis: Span;
  zone: string;
  now: number;
  onOpen: (event: CalendarEvent) => void;
};

function EventRow({ event, axis, zone, now, onOpen }: EventRowProps) {
  const [shown = event] = clipTimes([event], axis);
  const isWholeDay = shown.from === axis.from && shown.until === axis.until;
  const isRequest = event.session?.bookings.some(({ status }) => status === "requested");
  return (
    <li>
      <button
        type="button"
        className={styles.eventRow}
        data-kind={event.kind}
        data-request={isRequest === true ? "" : undefined}
        data-past={event.until <= now || undefined}
        onClick={() => onOpen(event)}
      >
        <span className={styles.rowClock}>{isWholeDay ? "All day" : formatClocks(shown, zone)}</span>{" "}
        <span className={styles.rowText}>
          <b>{event.title}</b> {event.notes.length > 0 && <span>{event.notes.join(" · ")}</span>}
        </span>
      </button>
    </li>
  );
}

function FreeRow({ time, zone, onFree }: { time: Span; zone: string; onFree: (time: Span) => void }) {
  return (
    <li>
      <button type="button" className={styles.freeRow} onClick={() => onFree(time)}>
        <span className={styles.rowClock}>{formatClocks(time, zone)}</span> <span>Free</span>
      </button>
    </li>
  );
}

import { CELL_MINUTES } from "./stops";
import { formatClocks, isoOf, type CalendarEvent } from "./events";
import type { Placed } from "./layout";
import styles from "./time-grid.module.css";
import { formatSessionDay } from "@porchlight/shared/format/session-times";

type EventBoxProps = {
  placed: Placed<CalendarEvent>;
  /** The row of the grid that it begins in. */
  row: number;
  zone: string;
  stop: string;
  isCurrent: boolean;
  isPast: boolean;
  isMoving: boolean;
  onFocus: (stop: string) => void;
};

/** An event in the grid, as high as it is long. */
export function EventBox({ placed, row, zone, stop, isCurrent, isPast, isMoving, onFocus }: EventBoxProps) {
  const { event, top, height, lane, lanes } = placed;
  const isRequest = event.session?.bookings.some(({ status }) => status === "requested");
  return (
    <button
      type="button"
      className={styles.event}
      title={[event.title, formatClocks(event, zone), ...event.notes].join(" · ")}
      data-key={stop}
      data-kind={event.kind}
      data-request={isRequest === true ? "" : undefined}
      data-past={isPast || undefined}
      data-moving={isMoving || undefined}
      tabIndex={isCurrent ? 0 : -1}
      {...((event.kind === "session" || event.kind === "block") && { "aria-keyshortcuts": "m" })}
      style={{
        top: `calc(${top - row * CELL_MINUTES} / 60 * var(--hour))`,
        height: `calc(${height} / 60 * var(--hour) - 2px)`,
        left: `calc(${(lane / lanes) * 100}% + 1px)`,
        width: `calc(${100 / lanes}% - 3px)`,
      }}
      onFocus={() => onFocus(stop)}
    >
      <span className={styles.eventText}>
        <b>{event.title}</b>
        <span className="visually-hidden">, {formatSessionDay(isoOf(event.from), zone)}, </span>
        <span className={styles.fact}>{formatClocks(event, zone)}</span>
        {event.notes.map((note) => (
          <span key={note} className={styles.fact}>
            {note}
          </span>
        ))}
      </span>
    </button>
  );
}

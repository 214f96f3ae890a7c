import { EventBox } from "./event-box";
import { isoOf } from "./events";
import { type DayAxis, MINUTE_MS } from "./layout";
import { CELL_MINUTES, cellKey, eventKey, rowOf, type GridDay } from "./stops";
import styles from "./time-grid.module.css";
import { formatClock, formatSessionStart } from "@porchlight/shared/format/session-times";

type GridRowProps = {
  row: number;
  /** A day without a change of the clocks, whose hours the rows have. */
  plain: DayAxis;
  days: readonly GridDay[];
  zone: string;
  now: number;
  /** The stop that Tab reaches. */
  current: string | undefined;
  movingId: string | undefined;
  onFocus: (key: string) => void;
};

/** Half an hour of all days, with the events that begin in it. */
export function GridRow({ row, plain, days, zone, now, current, movingId, onFocus }: GridRowProps) {
  const time = plain.from + row * CELL_MINUTES * MINUTE_MS;
  const isHour = plain.hours.some(({ at }) => at === time);
  return (
    <div role="row" data-row={row} className={styles.row}>
      <span role="rowheader" className={styles.clock}>
        <span className={isHour ? undefined : "visually-hidden"}>{formatClock(isoOf(time), zone)}</span>
      </span>
      {days.map(({ axis, placed, cells }, day) => {
        const free = cells[row]?.free;
        const key = cellKey(day, row);
        return (
          <div
            key={axis.day}
            role="gridcell"
            className={styles.cell}
            {...(free && {
              "data-key": key,
              tabIndex: current === key ? 0 : -1,
              "aria-label": `${formatSessionStart(isoOf(free.from), zone)}, nothing planned`,
              onFocus: () => onFocus(key),
            })}
          >
            {placed
              .filter((one) => rowOf(one) === row)
              .map((one) => (
                <EventBox
                  key={one.event.id}
                  placed={one}
                  row={row}
                  zone={zone}
                  stop={eventKey(day, one.event.id)}
                  isCurrent={current === eventKey(day, one.event.id)}
                  isPast={one.event.until <= now}
                  isMoving={movingId === one.event.id}
                  onFocus={onFocus}
                />
              ))}
          </div>
        );
      })}
    </div>
  );
}

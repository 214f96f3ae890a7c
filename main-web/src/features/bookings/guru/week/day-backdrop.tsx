import { isoOf, type CalendarEvent } from "./events";
import { axisMinutes, clipTimes, type DayAxis, type Placed, type Span } from "./layout";
import styles from "./time-grid.module.css";
import { formatClock } from "@porchlight/shared/format/session-times";

type DayBackdropProps = {
  axis: DayAxis;
  zone: string;
  placed: readonly Placed<CalendarEvent>[];
  free: readonly Span[];
  now: number;
};

/** What is behind the events of a day: its hours, free times, setup and cleanup, and what has passed. */
export function DayBackdrop({ axis, zone, placed, free, now }: DayBackdropProps) {
  const box = (time: Span) => ({
    top: `calc(${axisMinutes({ from: axis.from, until: time.from })} / 60 * var(--hour))`,
    height: `calc(${axisMinutes(time)} / 60 * var(--hour))`,
  });
  const setups = placed.flatMap(({ event: { from, until, blocked } }) => [
    { from: blocked.from, until: from },
    { from: until, until: blocked.until },
  ]);
  const [past] = clipTimes([{ from: Number.NEGATIVE_INFINITY, until: now }], axis);
  return (
    <div className={styles.backdrop}>
      {clipTimes(free, axis).map((time) => (
        <div key={time.from} className={styles.free} style={box(time)} data-free />
      ))}
      {axis.hours.map(({ at }) => (
        <div key={at} className={styles.line} style={box({ from: at, until: at })}>
          {axis.hasChange && <span>{formatClock(isoOf(at), zone)}</span>}
        </div>
      ))}
      {clipTimes(setups, axis).map((time) => (
        <div key={time.from} className={styles.setup} style={box(time)} />
      ))}
      {past && <div className={styles.past} style={box(past)} />}
      {past && past.until < axis.until && <div className={styles.now} style={box({ from: now, until: now })} />}
    </div>
  );
}

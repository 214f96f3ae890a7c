import { formatClocks, isoOf } from "./events";
import { axisMinutes, type DayAxis, type Span } from "./layout";
import type { Move } from "./move-state";
import styles from "./time-grid.module.css";
import { formatSessionStart } from "@porchlight/shared/format/session-times";

/** Tell whether the guru offers the new time of a move, as far as it is known. */
export const isOffered = (move: Move, allowed: readonly number[] | undefined) =>
  move.event.kind === "block" || !allowed || move.startsAt === move.event.from || allowed.includes(move.startsAt);

/** Say where a moving event is, for those who do not see it. */
export function moveStatus(move: Move, zone: string, allowed: readonly number[] | undefined): string {
  const where = formatSessionStart(isoOf(move.startsAt), zone);
  const offer = isOffered(move, allowed) ? "" : " You don't offer this time.";
  const help =
    move.startsAt === move.event.from ? " Choose a time with the arrow keys, Enter to go on, Escape to stop." : "";
  return `${move.event.title}: ${where}.${offer}${help}`;
}

type GhostProps = { day: number; axes: readonly DayAxis[]; time: Span; zone: string };

function ghostStyle({ day, axes, time }: Pick<GhostProps, "day" | "axes" | "time">) {
  const axis = axes[day];
  const top = axis ? axisMinutes({ from: axis.from, until: time.from }) : 0;
  return {
    left: `${(day / axes.length) * 100}%`,
    width: `${100 / axes.length}%`,
    top: `calc(${top} / 60 * var(--hour))`,
    height: `calc(${axisMinutes(time)} / 60 * var(--hour))`,
  };
}

/** A time that is being chosen. */
export function Ghost(props: GhostProps) {
  return (
    <div className={styles.ghost} style={ghostStyle(props)}>
      {formatClocks(props.time, props.zone)}
    </div>
  );
}

type MovingGhostProps = {
  move: Move;
  axes: readonly DayAxis[];
  zone: string;
  allowed: readonly number[] | undefined;
  onReturned: () => void;
};

/** Where a moving event is now. Back at its old time, it is gone. */
export function MovingGhost({ move, axes, zone, allowed, onReturned }: MovingGhostProps) {
  const { event, phase } = move;
  const isReturning = phase === "returning";
  const home = axes.findIndex(({ from, until }) => event.from >= from && event.from < until);
  const startsAt = isReturning ? event.from : move.startsAt;
  const time = { from: startsAt, until: startsAt + (event.until - event.from) };
  return (
    <div
      className={styles.ghost}
      style={ghostStyle({ day: isReturning ? Math.max(home, 0) : move.day, axes, time })}
      data-moving={phase}
      data-refused={!isOffered(move, allowed) || undefined}
      onAnimationEnd={onReturned}
    >
      <b>{event.title}</b> {formatClocks(time, zone)}
      {!isOffered(move, allowed) && " – not offered"}
    </div>
  );
}

import { moveRefusal, type CalendarEvent } from "./events";
import { axisMinutes, MINUTE_MS, snapStart, type DayAxis } from "./layout";

/**
 * An event on its way to another time of a shown day. While it is `asking`, a dialog is open about the new time;
 * `returning`, it goes back to where it was.
 */
export type Move = {
  event: CalendarEvent;
  day: number;
  startsAt: number;
  phase: "dragging" | "keys" | "asking" | "returning";
};

const QUARTER_MS = 15 * MINUTE_MS;

/** Return the day and the start nearest to a time of it that the event may have: an allowed one, or a quarter hour. */
export function moveTo(move: Move, day: number, wanted: number, axes: readonly DayAxis[], allowed: readonly number[]) {
  const axis = axes[day];
  if (!axis) return move;
  const latest = axis.until - QUARTER_MS;
  const startsAt = snapStart(Math.min(Math.max(wanted, axis.from), latest), allowed);
  return { ...move, day, startsAt: Math.min(Math.max(startsAt, axis.from), latest) };
}

/** Return the move after an arrow key; undefined for another key. Up and down go from one allowed start to the next. */
export function moveByKey(
  move: Move,
  key: string,
  axes: readonly DayAxis[],
  allowed: readonly number[],
): Move | undefined {
  const axis = axes[move.day];
  if (!axis) return undefined;
  const ofDay = allowed.filter((start) => start >= axis.from && start < axis.until);
  switch (key) {
    case "ArrowUp": {
      const before = ofDay.findLast((start) => start < move.startsAt) ?? move.startsAt - QUARTER_MS;
      return moveTo(move, move.day, before, axes, allowed);
    }
    case "ArrowDown": {
      const after = ofDay.find((start) => start > move.startsAt) ?? move.startsAt + QUARTER_MS;
      return moveTo(move, move.day, after, axes, allowed);
    }
    case "ArrowLeft":
    case "ArrowRight": {
      const day = move.day + (key === "ArrowLeft" ? -1 : 1);
      const next = axes[day];
      if (!next) return move;
      const minutes = Math.min(axisMinutes({ from: axis.from, until: move.startsAt }), axisMinutes(next));
      return moveTo(move, day, next.from + minutes * MINUTE_MS, axes, allowed);
    }
    default:
      return undefined;
  }
}

/** Say why an event can't move; "" for one that can. */
export function refusalOf(event: CalendarEvent, now: number): string {
  if (event.kind === "busy") return "This time is of a connected calendar. Change it there.";
  if (event.kind === "exchange") return "Agree on another time with your neighbor on the session's page.";
  if (event.until <= now) return "This time is over.";
  return event.kind === "session" && event.session ? moveRefusal(event.session) : "";
}

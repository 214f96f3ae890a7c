import { axisMinutes, MINUTE_MS, placeEvents, withoutTimes, type DayAxis, type Placed, type Span } from "./layout";
import type { CalendarEvent } from "./events";

export const CELL_MINUTES = 30;
const LEAST_FREE_MINUTES = 5;

/** Half an hour of a day, from its row on. `free` is its first part that can be blocked or booked, null without one. */
export type Cell = Span & { row: number; free: Span | null };

/** Where the keyboard can be: an event or the free part of a cell. `key` names it, `top` is its minute of the axis. */
export type Stop = { key: string; day: number; top: number };

export const cellKey = (day: number, row: number) => `${day}/${row}`;
export const eventKey = (day: number, id: string) => `${day}/${id}`;

/** Return the half hours of a day. Those that have passed are not free. */
export function dayCells(axis: DayAxis, placed: readonly Placed<CalendarEvent>[], now: number): Cell[] {
  const cells: Cell[] = [];
  const taken = placed.map(({ event }) => event);
  for (let from = axis.from, row = 0; from < axis.until; from += CELL_MINUTES * MINUTE_MS, row += 1) {
    const until = Math.min(from + CELL_MINUTES * MINUTE_MS, axis.until);
    const [free] = until > now ? withoutTimes([{ from, until }], taken) : [];
    const isLong = free !== undefined && free.until - free.from >= LEAST_FREE_MINUTES * MINUTE_MS;
    cells.push({ from, until, row, free: isLong ? free : null });
  }
  return cells;
}

/** Return the row of a day in which an event begins. */
export const rowOf = ({ top }: Placed<CalendarEvent>) => Math.floor(top / CELL_MINUTES);

/** Return where the keyboard can be on a day, in order. */
export function dayStops(day: number, cells: readonly Cell[], placed: readonly Placed<CalendarEvent>[]): Stop[] {
  return [
    ...cells.filter(({ free }) => free).map(({ row }) => ({ day, key: cellKey(day, row), top: row * CELL_MINUTES })),
    ...placed.map(({ event, top }) => ({ day, key: eventKey(day, event.id), top })),
  ].toSorted((one, other) => one.top - other.top);
}

/**
 * Return where a key moves to, as in the ARIA pattern of a grid: the arrows to the next stop of the day, or at the same
 * time of another day; Home and End to the first and last day; with Ctrl to the first and last stop. Undefined for other
 * keys and at an end.
 */
export function stopOfKey(
  { key, ctrlKey }: { key: string; ctrlKey: boolean },
  at: Stop,
  days: readonly (readonly Stop[])[],
): Stop | undefined {
  const ofDay = days[at.day] ?? [];
  const index = ofDay.findIndex((stop) => stop.key === at.key);
  switch (key) {
    case "ArrowDown":
      return ofDay[index + 1];
    case "ArrowUp":
      return ofDay[index - 1];
    case "ArrowRight":
      return nearestStop(days.slice(at.day + 1), at.top);
    case "ArrowLeft":
      return nearestStop(days.slice(0, at.day).toReversed(), at.top);
    case "Home":
      return ctrlKey ? days.flat()[0] : nearestStop(days, at.top);
    case "End":
      return ctrlKey ? days.flat().at(-1) : nearestStop(days.toReversed(), at.top);
    default:
      return undefined;
  }
}

/** Return the stop of the first day that has any which is nearest to a minute of the axis. */
function nearestStop(days: readonly (readonly Stop[])[], top: number): Stop | undefined {
  const [first, ...others] = days.find((stops) => stops.length > 0) ?? [];
  return others.reduce(
    (best, stop) => (Math.abs(stop.top - top) < Math.abs((best?.top ?? 0) - top) ? stop : best),
    first,
  );
}

/** A day of the grid. */
export type GridDay = {
  axis: DayAxis;
  placed: readonly Placed<CalendarEvent>[];
  cells: readonly Cell[];
  stops: readonly Stop[];
};

/** Return the days of the grid with what is in them. */
export function gridDays(axes: readonly DayAxis[], events: readonly CalendarEvent[], now: number): GridDay[] {
  return axes.map((axis, day) => {
    const placed = placeEvents(events, axis);
    const cells = dayCells(axis, placed, now);
    return { axis, placed, cells, stops: dayStops(day, cells, placed) };
  });
}

/** Return how many rows the grid has: as many as its longest day. */
export const rowsOf = (axes: readonly DayAxis[]) =>
  Math.max(...axes.map((axis) => Math.ceil(axisMinutes(axis) / CELL_MINUTES)));

type FoundStop = { key: string; day: number } & (
  { event: CalendarEvent; cell?: undefined } | { event?: undefined; cell: Cell }
);

/** Return the event or the empty cell around an element of the grid. */
export function findStop(days: readonly GridDay[], target: EventTarget): FoundStop | undefined {
  const key = (target as Element).closest<HTMLElement>("[data-key]")?.dataset.key;
  if (key === undefined) return undefined;
  for (const [day, { placed, cells }] of days.entries()) {
    const event = placed.find((one) => eventKey(day, one.event.id) === key)?.event;
    if (event) return { key, day, event };
    const cell = cells.find(({ row }) => cellKey(day, row) === key);
    if (cell) return { key, day, cell };
  }
  return undefined;
}

/** Return the empty time around that of a cell, within the shown hours and from its first free part on. */
export function freeAround({ free }: Cell, day: GridDay | undefined): Span | undefined {
  if (!free || !day) return undefined;
  const events = day.placed.map(({ event }) => event);
  const before = events.filter(({ until }) => until <= free.from).map(({ until }) => until);
  const after = events.filter(({ from }) => from >= free.until).map(({ from }) => from);
  return { from: Math.max(day.axis.from, ...before), until: Math.min(day.axis.until, ...after) };
}

import { useRef, useState, type CSSProperties, type MouseEvent } from "react";
import { DayBackdrop } from "./day-backdrop";
import { isoOf, type CalendarEvent } from "./events";
import { Ghost, moveStatus, MovingGhost } from "./ghosts";
import { gridKeys } from "./grid-keys";
import { GridRow } from "./grid-row";
import { MINUTE_MS, type DayAxis, type Span } from "./layout";
import type { Move } from "./move-state";
import { findStop, freeAround, gridDays, rowsOf, type Cell, type GridDay } from "./stops";
import styles from "./time-grid.module.css";
import { useGridPointer } from "./use-grid-pointer";
import { formatSessionDay, localDay, zoneName } from "@porchlight/shared/format/session-times";

const CLICKED_MINUTES = 60;

type TimeGridProps = {
  label: string;
  axes: readonly DayAxis[];
  zone: string;
  events: readonly CalendarEvent[];
  free: readonly Span[];
  now: number;
  move: Move | null;
  /** The starts that the moving event may have, while they are known. */
  allowed: readonly number[] | undefined;
  onMoveChange: (move: Move | null) => void;
  onMoved: (move: Move) => void;
  onOpen: (event: CalendarEvent) => void;
  /** Called with an empty time that the guru chose. */
  onFree: (time: Span) => void;
  /** Called to show other days, -1 for those before. */
  onPage: (direction: 1 | -1) => void;
};

/**
 * Days in columns with an axis of hours. The keyboard moves in it as in a grid of half hours, after the ARIA pattern:
 * one tab stop; arrows, Home, End, Page Up and Page Down; Enter opens an event or an empty time; M moves an event.
 */
export function TimeGrid(props: TimeGridProps) {
  const { axes, zone, now, move, allowed = [], onMoveChange, onOpen, onFree } = props;
  const body = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState("");
  const days = gridDays(axes, props.events, now);
  const rows = rowsOf(axes);
  const stops = days.flatMap((day) => day.stops);
  const current = (stops.find(({ key }) => key === focused) ?? firstStop(days, now))?.key;
  const { range, handlePress } = useGridPointer({ ...props, body, days, rows, allowed });

  function focusStop(key: string) {
    setFocused(key);
    const all = body.current?.querySelectorAll<HTMLElement>("[data-key]") ?? [];
    [...all].find((element) => element.dataset.key === key)?.focus();
  }

  function chooseCell(day: number, cell: Cell) {
    const around = freeAround(cell, days[day]);
    if (!cell.free || !around) return;
    const { from } = cell.free;
    onFree({ from, until: Math.min(from + CLICKED_MINUTES * MINUTE_MS, around.until) });
  }

  function handleClick(clicked: MouseEvent) {
    const found = findStop(days, clicked.target);
    if (!found) return;
    setFocused(found.key);
    if (found.event) onOpen(found.event);
    else chooseCell(found.day, found.cell);
  }

  const plain = axes.find(({ hasChange }) => !hasChange) ?? axes[0];
  if (!plain) return null;
  return (
    <>
      <div
        role="grid"
        aria-label={props.label}
        tabIndex={-1}
        className={styles.grid}
        style={{ "--hour": `${hourRem(days)}rem`, "--days": axes.length } as CSSProperties}
        onPointerDown={handlePress}
        onClick={handleClick}
        onKeyDown={(pressed) => {
          gridKeys({ ...props, days, allowed, onCell: chooseCell, onFocus: focusStop })(pressed);
        }}
      >
        <div role="row" className={styles.head}>
          <span role="columnheader" className={styles.corner}>
            {zoneName(isoOf(plain.from), zone)}
          </span>
          {axes.map(({ day, from, until }) => (
            <DayName
              key={day}
              text={formatSessionDay(isoOf(from), zone)}
              isToday={day === localDay(isoOf(now), zone)}
              isPast={until <= now}
            />
          ))}
        </div>
        <div role="rowgroup" ref={body} className={styles.body}>
          <div className={styles.layer} aria-hidden="true">
            {days.map(({ axis, placed }) => (
              <DayBackdrop key={axis.day} axis={axis} zone={zone} placed={placed} free={props.free} now={now} />
            ))}
          </div>
          {Array.from({ length: rows }, (_, row) => (
            <GridRow
              key={row}
              {...{ row, plain, days, zone, now, current }}
              movingId={move?.event.id}
              onFocus={setFocused}
            />
          ))}
          <div className={styles.layer} aria-hidden="true">
            {range && <Ghost day={range.day} axes={axes} time={range} zone={zone} />}
            {move && (
              <MovingGhost {...{ move, axes, zone }} allowed={props.allowed} onReturned={() => onMoveChange(null)} />
            )}
          </div>
        </div>
      </div>
      <p role="status" className="visually-hidden">
        {move?.phase === "keys" && moveStatus(move, zone, props.allowed)}
      </p>
    </>
  );
}

type DayNameProps = { text: string; isToday: boolean; isPast: boolean };

function DayName({ text, isToday, isPast }: DayNameProps) {
  return (
    <span
      role="columnheader"
      className={styles.dayName}
      {...(isToday && { "aria-current": "date" })}
      data-past={isPast || undefined}
    >
      {text}
    </span>
  );
}

/** Return where Tab arrives first: at what is next. */
function firstStop(days: readonly GridDay[], now: number) {
  const day =
    days.find(({ axis, stops }) => axis.until > now && stops.length > 0) ?? days.find(({ stops }) => stops[0]);
  const next = day?.stops.find(({ top }) => day.axis.from + top * MINUTE_MS >= now);
  return next ?? day?.stops[0];
}

/** Return the height of an hour: enough for the text of the shortest event, in half an hour at least. */
function hourRem(days: readonly GridDay[]): number {
  const heights = days.flatMap(({ placed }) => placed.map(({ height }) => height));
  const shortest = Math.max(15, Math.min(30, ...heights));
  return 105 / shortest;
}

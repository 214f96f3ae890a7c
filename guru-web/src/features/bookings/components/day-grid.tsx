import {
  addDays,
  addMonths,
  clampDay,
  dayByKey,
  formatFullDay,
  formatMonth,
  isInStrip,
  monthOf,
  weekOf,
  WEEKDAYS,
  weeksOfMonth,
} from "@porchlight/shared/format/calendar-days";
import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from "react";

import type { FreeStart } from "../../../lib/types";
import { countFree } from "../lib/day-choice";

interface DayGridProps {
  /** The day in the tab order. The grid shows its month, on phones its week. */
  shown: string;
  /** The day whose times are listed, or null. */
  chosen: string | null;
  today: string;
  lastDay: string;
  /** The free starts and the full sessions by day. */
  days: ReadonlyMap<string, readonly FreeStart[]>;
  isLoading: boolean;
  /** Whether scripts run; without them, every day with times is in the tab order. */
  isInteractive: boolean;
  hrefOf: (day: string) => string;
  onChoose: (day: string) => void;
  /** The keyboard moved to another day. */
  onMove: (day: string) => void;
}

/** The days of a month as a grid with one tab stop. Each day with times is a link, which works without scripts too. */
export function DayGrid(props: DayGridProps) {
  const { shown, today, lastDay, isInteractive, onMove } = props;
  const table = useRef<HTMLTableElement>(null);
  const wasMoved = useRef(false);

  useEffect(() => {
    if (!wasMoved.current) return;
    wasMoved.current = false;
    table.current?.querySelector<HTMLElement>(`[data-day="${shown}"]`)?.focus();
  }, [shown]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === " ") {
      // Space chooses in a grid; on a link it would scroll the page.
      event.preventDefault();
      (event.target as HTMLElement).click();
      return;
    }
    const target = dayByKey(event.key, shown);
    if (target === null) return;
    event.preventDefault();
    const day = clampDay(target, today, lastDay);
    if (day === shown) return;
    wasMoved.current = true;
    onMove(day);
  };

  return (
    <table
      ref={table}
      // A calendar is a table whose days the arrow keys reach: the ARIA grid pattern.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
      role="grid"
      className="day-grid"
      aria-labelledby="times-month"
      aria-busy={props.isLoading}
      onKeyDown={isInteractive ? onKeyDown : undefined}
    >
      <thead>
        <tr>
          {WEEKDAYS.map((name) => (
            <th key={name} scope="col" abbr={name}>
              <span aria-hidden="true">{name.slice(0, 3)}</span>
              <span className="visually-hidden">{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOfMonth(shown).map((week) => (
          <tr key={week[0]} className={isInStrip(week, shown, today) ? "shown-week" : undefined}>
            {week.map((day) => (
              <Day key={day} day={day} {...props} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Day({ day, shown, chosen, days, isInteractive, hrefOf, onChoose }: DayGridProps & { day: string }) {
  const starts = days.get(day) ?? [];
  const isChosen = day === chosen;
  const attributes = {
    "data-day": day,
    className: monthOf(day) === monthOf(shown) ? "day" : "day day-outside",
    "aria-label": `${formatFullDay(day)}, ${describe(starts)}`,
    tabIndex: isInteractive ? (day === shown ? 0 : -1) : undefined,
  };
  const onClick = (event: MouseEvent) => {
    if (event.button !== 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onChoose(day);
  };
  return (
    <td role="gridcell" aria-selected={isChosen}>
      {/* The same element with and without times: it keeps the focus when they arrive. */}
      <a
        {...attributes}
        {...(starts.length > 0 ? { href: hrefOf(day), onClick } : { role: "link", "aria-disabled": true })}
      >
        {Number(day.slice(-2))}
      </a>
    </td>
  );
}

/** Say how many times a day has. */
function describe(starts: readonly FreeStart[]): string {
  const free = countFree(starts);
  if (free === 0) return starts.length === 0 ? "no times" : "full";
  return free === 1 ? "1 time" : `${free} times`;
}

interface DayGridHeadProps {
  shown: string;
  today: string;
  lastDay: string;
  hrefOf: (day: string) => string;
  onGo: (day: string, range: "month" | "week") => void;
}

/** The name of the month, with links to the ones around it; on phones, to the weeks around the shown one. */
export function DayGridHead({ shown, today, lastDay, hrefOf, onGo }: DayGridHeadProps) {
  const firstOfMonth = `${monthOf(shown)}-01`;
  // The same element at the first and the last month, where it keeps the focus of those who pressed it.
  const link = (day: string, range: "month" | "week", label: string, sign: string, isPossible: boolean) => (
    <a
      className={`button button-secondary button-small by-${range}`}
      {...(isPossible
        ? {
            href: hrefOf(clampDay(day, today, lastDay)),
            onClick: (event: MouseEvent) => {
              event.preventDefault();
              onGo(clampDay(day, today, lastDay), range);
            },
          }
        : { role: "link", "aria-disabled": true, tabIndex: -1, "data-off": "" })}
    >
      <span className="visually-hidden">{label}</span>
      <span aria-hidden="true">{sign}</span>
    </a>
  );
  const week = weekOf(shown);
  const nextMonth = addMonths(firstOfMonth, 1);
  return (
    <div className="day-grid-head">
      {link(addMonths(firstOfMonth, -1), "month", "Previous month", "‹", firstOfMonth > today)}
      {link(addDays(shown, -7), "week", "Previous week", "‹", (week[0] ?? shown) > today)}
      <h2 id="times-month" aria-live="polite">
        {formatMonth(shown)}
      </h2>
      {link(addDays(shown, 7), "week", "Next week", "›", (week.at(-1) ?? shown) < lastDay)}
      {link(nextMonth, "month", "Next month", "›", nextMonth <= lastDay)}
    </div>
  );
}

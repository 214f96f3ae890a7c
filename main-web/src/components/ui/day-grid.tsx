import { ChevronLeft, ChevronRight } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import { cx } from "@/lib/cx";
import { Button } from "./button";
import styles from "./day-grid.module.css";
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

type DayGridProps = {
  /** The day in the tab order, as "2026-12-01". The grid shows its month, on phones its week and the chosen one. */
  shown: string;
  /** The chosen day, "" for none. */
  chosen: string;
  today: string;
  lastDay: string;
  /** How many times each day has. */
  counts: ReadonlyMap<string, number>;
  /** The day that is marked, and what to call it. */
  marked?: { day: string; label: string };
  isLoading?: boolean;
  onChoose: (day: string) => void;
  /** The keyboard, or a button for another month or week, moved to a day. */
  onMove: (day: string, how: "key" | "month" | "week") => void;
};

/** The days of a month to choose from, with one tab stop and arrow keys (the ARIA grid pattern). */
export function DayGrid(props: DayGridProps) {
  const { shown, chosen, today, lastDay, isLoading = false, onMove } = props;
  const table = useRef<HTMLTableElement>(null);
  const wasMoved = useRef(false);
  const month = useId();

  useEffect(() => {
    if (!wasMoved.current) return;
    wasMoved.current = false;
    table.current?.querySelector<HTMLElement>(`[data-day="${shown}"]`)?.focus();
  }, [shown]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const target = dayByKey(event.key, shown);
    if (target === null) return;
    event.preventDefault();
    const day = clampDay(target, today, lastDay);
    if (day === shown) return;
    wasMoved.current = true;
    onMove(day, "key");
  }

  return (
    <div>
      <Head {...props} month={month} />
      <table
        ref={table}
        // A calendar is a table whose days the arrow keys reach.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
        role="grid"
        className={styles.grid}
        aria-labelledby={month}
        aria-busy={isLoading}
        onKeyDown={onKeyDown}
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
            <tr key={week[0]} className={cx((week.includes(chosen) || isInStrip(week, shown, today)) && styles.strip)}>
              {week.map((day) => (
                <Day key={day} day={day} {...props} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Day({ day, shown, chosen, counts, marked, onChoose }: DayGridProps & { day: string }) {
  const count = counts.get(day) ?? 0;
  const isMarked = day === marked?.day;
  const times = count === 0 ? "no times" : count === 1 ? "1 time" : `${count} times`;
  return (
    <td role="gridcell" aria-selected={day === chosen}>
      {/* Also without times: it keeps the focus when they arrive. */}
      <button
        type="button"
        data-day={day}
        tabIndex={day === shown ? 0 : -1}
        aria-disabled={count === 0}
        aria-label={[formatFullDay(day), isMarked ? marked.label : "", times].filter(Boolean).join(", ")}
        className={cx(styles.day, monthOf(day) !== monthOf(shown) && styles.outside, isMarked && styles.marked)}
        onClick={() => count > 0 && onChoose(day)}
      >
        <span>{Number(day.slice(-2))}</span>
      </button>
    </td>
  );
}

/** The name of the month between buttons to the ones around it; on phones, to the weeks around the shown one. */
function Head({ shown, today, lastDay, month, onMove }: DayGridProps & { month: string }) {
  const first = `${monthOf(shown)}-01`;
  const week = weekOf(shown);
  const button = (day: string, how: "month" | "week", label: string, isPossible: boolean) => (
    <Button
      variant="secondary"
      size="sm"
      className={cx(styles.turn, styles[how])}
      aria-label={label}
      // Not disabled: at the first and the last month it keeps the focus of those who pressed it.
      aria-disabled={!isPossible}
      onClick={() => isPossible && onMove(clampDay(day, today, lastDay), how)}
    >
      {label.startsWith("Next") ? (
        <ChevronRight size={18} aria-hidden="true" />
      ) : (
        <ChevronLeft size={18} aria-hidden="true" />
      )}
    </Button>
  );
  const nextMonth = addMonths(first, 1);
  return (
    <div className={styles.head}>
      {button(addMonths(first, -1), "month", "Previous month", first > today)}
      {button(addDays(shown, -7), "week", "Previous week", (week[0] ?? shown) > today)}
      <p id={month} aria-live="polite" className={styles.name}>
        {formatMonth(shown)}
      </p>
      {button(addDays(shown, 7), "week", "Next week", (week.at(-1) ?? shown) < lastDay)}
      {button(nextMonth, "month", "Next month", nextMonth <= lastDay)}
    </div>
  );
}

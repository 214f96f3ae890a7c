import { Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { SectionCard } from "@/components/ui/section-card";
import { DraftFooter } from "@/components/ui/draft-footer";
import type { Draft } from "@/lib/use-draft";
import { wallTimeOf } from "@/lib/wall-time";
import type { CalendarSettings } from "../lib/types";
import { isWithin, parseRanges, rangesError, type TypedRange } from "../lib/ranges";
import { WEEKDAY_NUMBERS, WEEKDAYS } from "../lib/weekdays";
import { CopyDialog } from "./copy-dialog";
import styles from "./hours.module.css";
import { RangeFields } from "./range-fields";
import { StillBooked } from "./still-booked";

const YEAR_MS = 366 * 86_400_000;

/** The typed hours of the seven days of the week. */
export type TypedWeek = TypedRange[][];

/** The hours of the week. Proposed hours can be saved as they are, which confirms them. */
export function WeeklyHoursCard({ draft, calendar }: { draft: Draft<TypedWeek>; calendar: CalendarSettings }) {
  const { confirmed, dates, zone } = calendar;
  const [now] = useState(() => Date.now());
  const [copying, setCopying] = useState<number | null>(null);
  const [checked, setChecked] = useState(false);
  const week = draft.typed;
  const setDays = (weekdays: readonly number[], ranges: TypedRange[]) =>
    draft.change(WEEKDAY_NUMBERS.map((weekday) => (weekdays.includes(weekday) ? ranges : (week[weekday] ?? []))));

  function check(): boolean {
    setChecked(true);
    return week.every((ranges) => rangesError(ranges) === "");
  }

  return (
    <SectionCard id="hours-week" title="Weekly hours" hint="Sessions start and end within these hours.">
      <ul className={styles.days}>
        {WEEKDAY_NUMBERS.map((weekday) => {
          const ranges = week[weekday] ?? [];
          const error = rangesError(ranges);
          const isTyping = error === "Enter a start and an end." && !checked;
          return (
            <li key={weekday} className={styles.day}>
              <h3 className={styles.weekday}>{WEEKDAYS[weekday]}</h3>
              <RangeFields
                name={WEEKDAYS[weekday]}
                ranges={ranges}
                error={isTyping ? "" : error}
                onChange={(changed) => setDays([weekday], changed)}
              />
              <Button
                size="sm"
                variant="ghost"
                className={styles.copy}
                aria-label={`Copy to… (hours of ${WEEKDAYS[weekday]})`}
                onClick={() => setCopying(weekday)}
              >
                <Copy size={15} aria-hidden="true" />
                Copy to…
              </Button>
            </li>
          );
        })}
      </ul>
      <StillBooked
        after={draft.isDirty ? new Date(now).toISOString() : null}
        before={draft.isDirty ? new Date(now + YEAR_MS).toISOString() : null}
        text="These sessions are outside the new hours. They stay booked; cancel or move them if you can't come:"
        isAffected={(booking) => {
          const { day } = wallTimeOf(booking.startsAt, zone);
          const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
          const hasOwnHours = dates.some((date) => date.day === day);
          return !hasOwnHours && !isWithin(parseRanges(week[weekday] ?? []) ?? [], booking, zone);
        }}
      />
      <DraftFooter
        draft={draft}
        action="Save hours"
        changed="Your hours were"
        saved="Saved. Neighbors see your new hours."
        always={!confirmed}
        check={check}
      />
      {copying !== null && (
        <CopyDialog
          from={copying}
          onClose={() => setCopying(null)}
          onCopy={(weekdays) => {
            setDays(weekdays, week[copying] ?? []);
            setCopying(null);
          }}
        />
      )}
    </SectionCard>
  );
}

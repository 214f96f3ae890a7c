import { useState } from "react";
import { Field, Input, Select } from "@/components/ui/field";
import { SectionCard } from "@/components/ui/section-card";
import { FieldPair } from "@/components/ui/field-pair";
import { AffectedBookings } from "@/features/bookings/contract";
import { DraftFooter } from "@/components/ui/draft-footer";
import { formatLength } from "@/lib/lengths";
import type { Draft } from "@/lib/use-draft";
import type { CalendarSettings } from "../lib/types";
import { horizonChoices, noticeChoices, STEP_MINUTES, zoneGroups, zoneLabel, type StepMinutes } from "../lib/choices";
import { fieldErrors } from "@porchlight/shared/client";

/** The rules of the calendar as typed. `dayMax` "" is no limit. */
export type TypedRules = {
  zone: string;
  stepMinutes: StepMinutes;
  noticeMinutes: number;
  horizonDays: number;
  dayMax: string;
};

export const typedRules = (calendar: CalendarSettings): TypedRules => ({
  zone: calendar.zone,
  stepMinutes: calendar.stepMinutes as StepMinutes,
  noticeMinutes: calendar.noticeMinutes,
  horizonDays: calendar.horizonDays,
  dayMax: calendar.dayMax === null ? "" : String(calendar.dayMax),
});

/** Parse the most sessions a day: null is no limit, undefined not valid. */
export function parseDayMax(text: string): number | null | undefined {
  if (text.trim() === "") return null;
  const most = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  return most >= 1 && most <= 100 ? most : undefined;
}

/** The rules by which neighbors book: time zone, start times, notice, how far ahead, sessions a day. */
export function BookingRulesCard({ draft, saved }: { draft: Draft<TypedRules>; saved: TypedRules }) {
  const [zones] = useState(() => zoneGroups(draft.typed.zone));
  const rules = draft.typed;
  const set = (part: Partial<TypedRules>) => draft.change({ ...rules, ...part });
  const isDayMaxValid = parseDayMax(rules.dayMax) !== undefined;

  return (
    <SectionCard id="hours-rules" title="Booking rules">
      <Field label="Time zone" hint="Your hours are in this time zone.">
        <Select value={rules.zone} onChange={(event) => set({ zone: event.target.value })}>
          {zones.map(({ label, zones: names }) => (
            <optgroup key={label} label={label}>
              {names.map((zone) => (
                <option key={zone} value={zone}>
                  {zoneLabel(zone)}
                </option>
              ))}
            </optgroup>
          ))}
        </Select>
      </Field>
      <FieldPair>
        <Field label="Sessions start every">
          <Select
            value={rules.stepMinutes}
            onChange={(event) => set({ stepMinutes: Number(event.target.value) as StepMinutes })}
          >
            {STEP_MINUTES.map((minutes) => (
              <option key={minutes} value={minutes}>
                {formatLength(minutes)}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Book at least this long before" error={fieldErrors(draft.error).noticeMinutes}>
          <Select value={rules.noticeMinutes} onChange={(event) => set({ noticeMinutes: Number(event.target.value) })}>
            {noticeChoices(rules.noticeMinutes).map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Book up to this far ahead">
          <Select value={rules.horizonDays} onChange={(event) => set({ horizonDays: Number(event.target.value) })}>
            {horizonChoices(rules.horizonDays).map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Field
          label="Most sessions a day"
          hint="Leave blank for no limit."
          error={isDayMaxValid ? undefined : "Enter 1 to 100, or leave it blank"}
        >
          <Input
            inputMode="numeric"
            autoComplete="off"
            value={rules.dayMax}
            onChange={(event) => set({ dayMax: event.target.value })}
          />
        </Field>
      </FieldPair>
      <AffectedBookings
        rules={{
          ...(rules.zone !== saved.zone && { zone: rules.zone }),
          ...(rules.stepMinutes !== saved.stepMinutes && { stepMinutes: rules.stepMinutes }),
        }}
        text="These sessions stay booked at the time that was agreed:"
      />
      <DraftFooter
        draft={draft}
        action="Save rules"
        changed="Your booking rules were"
        saved="Saved. Neighbors see your new rules."
        check={() => isDayMaxValid}
      />
    </SectionCard>
  );
}

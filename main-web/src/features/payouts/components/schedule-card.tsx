import { useForm, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { onSettled } from "@/lib/on-settled";
import { toast } from "@/lib/toast-store";
import { useSchedule } from "../api/get-schedule";
import { useUpdateSchedule } from "../api/update-schedule";
import type { Schedule } from "../lib/types";
import { LoadError } from "./load-error";
import { Loading } from "./loading";
import styles from "./payouts.module.css";

const INTERVALS: [Schedule["interval"], string][] = [
  ["daily", "Every day"],
  ["weekly", "Every week"],
  ["monthly", "Every month"],
  ["manual", "Only when I ask for it"],
];
const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday"] as const;
const DAYS = Array.from({ length: 31 }, (_, index) => index + 1);

/** When Stripe sends the balance to the bank, or why it cannot be shown. */
export function ScheduleView() {
  const query = useSchedule();
  if (query.data) return <ScheduleCard schedule={query.data} />;
  if (query.isError) {
    return <LoadError title="We couldn't load your payout schedule" message={query.error.message} query={query} />;
  }
  return <Loading what="your payout schedule" height="9rem" />;
}

type Values = { interval: Schedule["interval"]; weekday: (typeof WEEKDAYS)[number]; dayOfMonth: string };

function ScheduleCard({ schedule }: { schedule: Schedule }) {
  const update = useUpdateSchedule();
  const form = useForm<Values>({
    values: {
      interval: schedule.interval,
      weekday: schedule.weekday ?? "monday",
      dayOfMonth: String(schedule.dayOfMonth ?? 1),
    },
  });
  const interval = useWatch({ control: form.control, name: "interval" });

  const submit = form.handleSubmit((values) =>
    onSettled(
      update.mutateAsync({
        interval: values.interval,
        weekday: values.interval === "weekly" ? values.weekday : null,
        dayOfMonth: values.interval === "monthly" ? Number(values.dayOfMonth) : null,
      }),
      () => toast.success("Payout schedule saved."),
    ),
  );

  return (
    <Card as="section" padding="lg" className={styles.card} aria-labelledby="schedule-heading">
      <h2 id="schedule-heading" className={styles.heading}>
        Schedule
      </h2>
      <form className={styles.card} noValidate onSubmit={(event) => void submit(event)}>
        <p className={styles.soft}>When Stripe sends your available balance to your bank account.</p>
        <div className={styles.fields}>
          <Field label="Pay me">
            <Select {...form.register("interval")}>
              {INTERVALS.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          </Field>
          {interval === "weekly" && (
            <Field label="On">
              <Select {...form.register("weekday")}>
                {WEEKDAYS.map((day) => (
                  <option key={day} value={day}>
                    {day.charAt(0).toUpperCase() + day.slice(1)}
                  </option>
                ))}
              </Select>
            </Field>
          )}
          {interval === "monthly" && (
            <Field label="Day of the month" hint="In a shorter month, on its last day.">
              <Select {...form.register("dayOfMonth")}>
                {DAYS.map((day) => (
                  <option key={day} value={day}>
                    {day}
                  </option>
                ))}
              </Select>
            </Field>
          )}
        </div>
        {update.isError && <Notice tone="danger">{update.error.message}</Notice>}
        <div className={styles.foot}>
          <Button type="submit" variant="secondary" loading={update.isPending}>
            Save schedule
          </Button>
        </div>
      </form>
    </Card>
  );
}

import { Repeat as RepeatIcon } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Field, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { MAX_SESSIONS, type DayState, type PlannedSession, type Repeat } from "../lib/series-plan";
import { seriesTotal } from "../lib/session-texts";
import type { SeriesPlan } from "../lib/use-series-plan";
import type { Hold } from "../lib/types";
import book from "./book-page.module.css";
import styles from "./repeat-step.module.css";
import { formatClock, formatSessionDay, formatSessionStart, zoneName } from "@porchlight/shared/format/session-times";

const HOW_OFTEN = ["Just this once", "Every week", "Every two weeks"] as const;
const BADGES: Record<DayState, { label: string; tone: "good" | "warning" | "neutral" }> = {
  free: { label: "Free", tone: "good" },
  taken: { label: "Taken", tone: "warning" },
  later: { label: "Not open yet", tone: "neutral" },
  waiver: { label: "After your waiver", tone: "neutral" },
};

type RepeatStepProps = { hold: Hold; repeat: Repeat; plan: SeriesPlan; onChange: (repeat: Repeat) => void };

/** Repeats a session weekly or every two weeks. Each date can be left out or get another time of its day. */
export function RepeatStep({ hold, repeat, plan, onChange }: RepeatStepProps) {
  const choose = (day: string, start: string) => onChange({ ...repeat, choices: { ...repeat.choices, [day]: start } });
  return (
    <Card as="section" className={book.step} aria-labelledby="repeat">
      <h2 id="repeat" className={book.stepTitle}>
        <RepeatIcon size={20} aria-hidden="true" />
        Repeat this session
      </h2>
      <div className={styles.settings}>
        <Field label="How often">
          <Select
            value={repeat.weeks}
            onChange={(event) => onChange({ ...repeat, weeks: Number(event.currentTarget.value) as Repeat["weeks"] })}
          >
            {HOW_OFTEN.map((label, weeks) => (
              <option key={label} value={weeks}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        {repeat.weeks > 0 && (
          <Field label="How many sessions">
            <Select
              value={repeat.sessions}
              onChange={(event) => onChange({ ...repeat, sessions: Number(event.currentTarget.value) })}
            >
              {Array.from({ length: MAX_SESSIONS - 1 }, (_, index) => (
                <option key={index} value={index + 2}>
                  {index + 2}
                </option>
              ))}
            </Select>
          </Field>
        )}
      </div>
      {repeat.weeks > 0 && <Plan hold={hold} plan={plan} onChoose={choose} />}
    </Card>
  );
}

type PlanProps = { hold: Hold; plan: SeriesPlan; onChoose: (day: string, start: string) => void };

function Plan({ hold, plan, onChoose }: PlanProps) {
  if (plan.error !== null) {
    return (
      <ErrorState
        title="We couldn't load the times."
        message={plan.error.message}
        onRetry={plan.refetch}
        retrying={plan.isFetching}
      />
    );
  }
  if (plan.isPending) {
    return (
      <div aria-busy="true">
        <p role="status">Looking for times…</p>
        <Skeleton height="6rem" radius="md" />
      </div>
    );
  }
  const taken = plan.sessions.filter(({ state, start }) => state === "taken" && start === "").length;
  const isLate = plan.sessions.some(({ state }) => state === "waiver");
  return (
    <>
      <ol className={styles.dates} aria-label="Dates">
        <li className={styles.date}>
          <span className={styles.day}>
            {formatSessionStart(hold.startsAt, hold.zone)} <Badge tone="good">Kept for you</Badge>
          </span>
        </li>
        {plan.sessions.map((session) => (
          <PlannedDate key={session.day} session={session} zone={hold.zone} onChoose={onChoose} />
        ))}
      </ol>
      {taken > 0 && (
        <Notice tone="warning">
          {taken === 1 ? "One date is taken" : `${taken} dates are taken`} at {formatClock(hold.startsAt, hold.zone)}.
          Choose another time that day, or we leave it out.
        </Notice>
      )}
      {isLate && (
        <Notice>
          A waiver for this session is valid for {plan.waiverDays} days, so you can't book the dates after that yet. You
          can book them later.
        </Notice>
      )}
      <p aria-live="polite" className={styles.total}>
        {seriesTotal(hold, plan.starts.length + 1)}
      </p>
    </>
  );
}

type PlannedDateProps = { session: PlannedSession; zone: string; onChoose: (day: string, start: string) => void };

function PlannedDate({ session, zone, onChoose }: PlannedDateProps) {
  const { day, state, starts, start } = session;
  const name = formatSessionDay(`${day}T12:00:00Z`, "UTC");
  const { label, tone } = BADGES[state];
  return (
    <li className={styles.date}>
      <span className={styles.day}>
        {name} <Badge tone={tone}>{label}</Badge>
      </span>
      {starts.length > 0 ? (
        <Select
          aria-label={`Time on ${name}`}
          value={start}
          onChange={(event) => onChoose(day, event.currentTarget.value)}
        >
          <option value="">Skip this date</option>
          {starts.map((one) => (
            <option key={one} value={one}>
              {formatClock(one, zone)} {zoneName(one, zone)}
            </option>
          ))}
        </Select>
      ) : (
        <span className={book.soft}>{state === "taken" ? "No free times, skipped" : "Skipped"}</span>
      )}
    </li>
  );
}

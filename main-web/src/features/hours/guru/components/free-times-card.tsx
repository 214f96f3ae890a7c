import { useState } from "react";
import { Link } from "react-router-dom";
import { useNextSlots } from "@/features/bookings/contract";
import { Field, Select } from "@/components/ui/field";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { paths } from "@/config/paths";
import { useConsole, NotShownText } from "@/features/console/contract";
import { SectionCard } from "@/components/ui/section-card";
import { Hint } from "@/components/ui/hint";
import { Stack } from "@/components/ui/stack";
import type { Service, ServiceList } from "@/features/services/contract";
import type { Slots } from "../lib/types";
import { daysOfStarts } from "../lib/days-of-starts";
import styles from "./hours.module.css";
import { formatClock, formatSessionDay, formatSessionStart, zoneName } from "@porchlight/shared/format/session-times";

const DAYS_SHOWN = 4;
const STARTS_SHOWN = 8;

/** The next free times of a service, as neighbors see them. */
export function FreeTimesCard({ list, revision }: { list: ServiceList; revision: number }) {
  const { services, shown } = list;
  const guru = useConsole();
  const open = services.filter(({ openForBooking }) => openForBooking);
  const closed = services.filter(({ openForBooking, durationMinutes }) => !openForBooking && durationMinutes !== null);
  const [chosen, setChosen] = useState("");
  const service = open.find(({ id }) => id === chosen) ?? open[0];
  return (
    <SectionCard id="hours-preview" title="What neighbors see">
      {!service && <Hint>No service is open for booking yet.</Hint>}
      {service && open.length > 1 && (
        <Field label="Service">
          <Select value={service.id} onChange={(event) => setChosen(event.target.value)}>
            {open.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {service && guru.status !== "active" && <Hint>Publish your site to show your free times.</Hint>}
      {service && guru.status === "active" && !shown && (
        <Hint>
          <NotShownText />
        </Hint>
      )}
      {service && guru.status === "active" && shown && (
        <FreeTimes key={service.id} label={guru.label} service={service} revision={revision} />
      )}
      {closed.length > 0 && (
        <div className={styles.closedServices}>
          {service && <Hint>Not open for booking:</Hint>}
          <ul className={styles.links}>
            {closed.map(({ id, name }) => (
              <li key={id}>
                <Link to={paths.guruServiceBooking.replace(":id", id)}>Set up booking for {name}</Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      {services.length === 0 && <Link to={paths.guruServices}>Add a service</Link>}
    </SectionCard>
  );
}

function FreeTimes({ label, service, revision }: { label: string; service: Service; revision: number }) {
  const times = useNextSlots(label, service.id, revision);
  if (times.isPending) {
    return (
      <Stack aria-busy="true">
        <span className="visually-hidden">Looking for times…</span>
        <Skeleton height="4rem" radius="md" />
        <Skeleton height="4rem" radius="md" />
      </Stack>
    );
  }
  if (times.isError) {
    return (
      <ErrorState
        title="We couldn't load the times."
        message={times.error.message}
        onRetry={() => void times.refetch()}
        retrying={times.isFetching}
      />
    );
  }
  return (
    <>
      <Days slots={times.data} name={service.name} />
      <Hint>
        {times.data.approval === "request" ? "You answer each request." : "Bookings are confirmed right away."}{" "}
        <Link to={paths.guruServiceBooking.replace(":id", service.id)}>Booking settings of {service.name}</Link>
      </Hint>
    </>
  );
}

function Days({ slots, name }: { slots: Slots; name: string }) {
  const { zone, starts, next } = slots;
  const days = daysOfStarts(starts, zone).slice(0, DAYS_SHOWN);
  if (days.length === 0) {
    return (
      <Hint>
        {next
          ? `No free times in the next month. The next is ${formatSessionStart(next.startsAt, zone)}.`
          : "No free times. Add hours, or ask below why a time isn't offered."}
      </Hint>
    );
  }
  return (
    <>
      <dl className={styles.freeDays} aria-label={`Next free times of ${name}`}>
        {days.map(({ day, starts: all }) => (
          <div key={day}>
            <dt>{formatSessionDay(all[0] ?? "", zone)}</dt>
            <dd className={styles.freeTimes}>
              {all.slice(0, STARTS_SHOWN).map((start) => (
                <span key={start}>{formatClock(start, zone)}</span>
              ))}
              {all.length > STARTS_SHOWN && <span className={styles.rest}>and {all.length - STARTS_SHOWN} more</span>}
            </dd>
          </div>
        ))}
      </dl>
      <Hint>Times are in {zoneName(days[0]?.starts[0] ?? "", zone)}.</Hint>
    </>
  );
}

import { Clock } from "lucide-react";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { ErrorState } from "@/components/ui/state";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { paths } from "@/config/paths";
import { useServices, type ServiceList } from "@/features/services/contract";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { useDraft } from "@/lib/use-draft";
import type { CalendarSettings } from "../lib/types";
import { calendarQuery } from "../api/get-calendar";
import { useUpdateCalendar } from "../api/update-calendar";
import { useUpdateWeeklyHours } from "../api/update-weekly-hours";
import { parseRanges, typedRanges } from "../lib/ranges";
import { WEEKDAY_NUMBERS } from "../lib/weekdays";
import { BlocksCard } from "./blocks-card";
import { ConnectedCalendarsCard } from "./connected-calendars-card";
import { BookingRulesCard, parseDayMax, typedRules } from "./booking-rules-card";
import { DatesCard } from "./dates-card";
import { FreeTimesCard } from "./free-times-card";
import styles from "./hours.module.css";
import { PauseCard } from "./pause-card";
import { WeeklyHoursCard, type TypedWeek } from "./weekly-hours-card";
import { WhyCard } from "./why-card";

const typedWeek = ({ week }: CalendarSettings): TypedWeek =>
  WEEKDAY_NUMBERS.map((weekday) => typedRanges(week.find((day) => day.weekday === weekday)?.ranges ?? []));

/** All settings of the calendar, and beside them what neighbors see. */
export function HoursSettings({ calendar }: { calendar: CalendarSettings }) {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  const services = useServices();
  const saveWeek = useUpdateWeeklyHours();
  const saveCalendar = useUpdateCalendar();
  const reload = () => queries.query({ ...calendarQuery(userId), staleTime: 0 });

  const week = useDraft<CalendarSettings, TypedWeek>({
    resource: calendar,
    typedOf: typedWeek,
    reload,
    save: (typed, revision) =>
      saveWeek.mutateAsync({
        revision,
        week: typed.map((ranges, weekday) => ({ weekdays: [weekday], ranges: parseRanges(ranges) ?? [] })),
      }),
  });
  const rules = useDraft({
    resource: calendar,
    typedOf: typedRules,
    reload,
    save: (typed, revision) =>
      saveCalendar.mutateAsync({ ...typed, revision, dayMax: parseDayMax(typed.dayMax) ?? null }),
  });

  return (
    <div className={styles.layout}>
      <div className={styles.column}>
        {!calendar.confirmed && <ProposedHours list={services.data} />}
        <WeeklyHoursCard draft={week} calendar={calendar} />
        <DatesCard calendar={calendar} />
        <BlocksCard zone={calendar.zone} />
        <ConnectedCalendarsCard />
        <BookingRulesCard draft={rules} saved={typedRules(calendar)} />
        <PauseCard calendar={calendar} reload={reload} />
      </div>
      <aside className={styles.aside} aria-label="Preview">
        {services.isError && !services.data && (
          <ErrorState
            title="We couldn't load your services"
            message={services.error.message}
            onRetry={() => void services.refetch()}
            retrying={services.isFetching}
          />
        )}
        {services.data && <FreeTimesCard list={services.data} revision={calendar.revision} />}
        {services.data && services.data.services.length > 0 && (
          <WhyCard services={services.data.services} zone={calendar.zone} />
        )}
        <p className={styles.more}>
          Length, place and cancellation terms are set for each service. <Link to={paths.guruServices}>Services</Link>
        </p>
      </aside>
      <UnsavedGuard unsaved={week.isDirty || rules.isDirty} />
    </div>
  );
}

/** Tells that the hours are a proposal. The services of a new site can be booked before it is saved. */
function ProposedHours({ list }: { list: ServiceList | undefined }) {
  const isBookable = list?.shown && list.services.some(({ openForBooking }) => openForBooking);
  return (
    <div className={styles.start}>
      <Clock size={22} aria-hidden="true" />
      <div>
        <p className={styles.strong}>
          {isBookable ? "Neighbors can book you in these hours." : "Set your hours and neighbors can book you."}
        </p>
        <p>
          We suggest the hours below. Change what you like, then save them.
          {isBookable && (
            <>
              {" "}
              You choose for each service whether you answer requests or confirm right away.{" "}
              <Link to={paths.guruServices}>Services</Link>
            </>
          )}
        </p>
      </div>
    </div>
  );
}

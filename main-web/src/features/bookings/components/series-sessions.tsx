import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { AddToCalendar } from "@/components/add-to-calendar";
import { Badge } from "@/components/ui/badge";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { useSeries } from "../api/get-series";
import { sessionEvent } from "../lib/session-event";
import { sessionTime, statusBadge } from "../lib/session-texts";
import styles from "./repeat-step.module.css";

type SeriesSessionsProps = {
  seriesId: string;
  /** The booking whose page this is. */
  current?: string;
  /** Each session can be added to a calendar. */
  hasCalendars?: boolean;
};

/** Lists the sessions of a series, each with a link to its page and its status unless it is booked. */
export function SeriesSessions({ seriesId, current = "", hasCalendars = false }: SeriesSessionsProps) {
  const series = useSeries(seriesId);
  if (series.isError) {
    return (
      <ErrorState
        title="We couldn't load the other sessions."
        message={series.error.message}
        onRetry={() => void series.refetch()}
        retrying={series.isFetching}
      />
    );
  }
  if (series.isPending) {
    return (
      <div aria-busy="true">
        <Skeleton height="6rem" radius="md" />
      </div>
    );
  }
  return (
    <ol className={styles.dates} aria-label="Sessions">
      {series.data.bookings.map((booking) => {
        const { label, tone } = statusBadge(booking);
        const { time } = sessionTime(booking);
        return (
          <li key={booking.id} className={styles.member}>
            {booking.id === current ? (
              <span aria-current="true">{time}</span>
            ) : (
              <Link to={generatePath(paths.session, { id: booking.id })}>{time}</Link>
            )}
            {booking.id === current && <Badge>This session</Badge>}
            {label !== "Booked" && <Badge tone={tone}>{label}</Badge>}
            {hasCalendars && booking.status === "confirmed" && (
              <AddToCalendar
                which={time}
                event={sessionEvent(booking, generatePath(paths.session, { id: booking.id }))}
                file={`/api/bookings/${booking.id}/session.ics`}
              />
            )}
          </li>
        );
      })}
    </ol>
  );
}

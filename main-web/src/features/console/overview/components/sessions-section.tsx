import { ArrowRight, CalendarDays } from "lucide-react";
import { Link } from "react-router-dom";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { LoadingBlock } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { paths } from "@/config/paths";
import { Hint } from "@/components/ui/hint";
import { Stack } from "@/components/ui/stack";
import { SectionTitle } from "@/components/ui/section-card";
import { DataList, RowFacts, RowLink, RowName, RowText } from "@/components/ui/data-list";
import { personName } from "@/lib/person-name";
import type { BookingsOverview } from "../../lib/types";
import { useBookingsOverview } from "../api/get-bookings-overview";
import { Unplaced } from "./unplaced";
import styles from "../overview.module.css";
import { formatSession } from "@porchlight/shared/format/session-times";

/** The guru's next sessions, with links into the calendar. */
export function SessionsSection() {
  const overview = useBookingsOverview();
  return (
    <Stack as="section" aria-labelledby="overview-sessions" aria-busy={overview.isPending}>
      <SectionTitle id="overview-sessions">Next sessions</SectionTitle>
      {overview.isPending && <LoadingBlock height="5rem" />}
      {overview.isError && !overview.data && (
        <ErrorState
          title="We couldn't load your sessions"
          message={overview.error.message}
          onRetry={() => void overview.refetch()}
          retrying={overview.isFetching}
        />
      )}
      {overview.data && <Sessions data={overview.data} />}
    </Stack>
  );
}

function Sessions({ data }: { data: BookingsOverview }) {
  const { next, requests, waiversDue, hasHours } = data;
  return (
    <>
      <Unplaced unplaced={data.unplaced} unplacedServices={data.unplacedServices} moreUnplaced={data.moreUnplaced} />
      {waiversDue > 0 && (
        <RowFacts>
          <Link to={`${paths.guruCalendar}?tab=upcoming`} className="tap-link">
            {waiversDue === 1 ? "1 waiver is due" : `${waiversDue} waivers are due`}
          </Link>
        </RowFacts>
      )}
      {next.length > 0 ? (
        <DataList aria-label="Next sessions">
          {next.map((booking) => (
            <Card as="li" interactive key={booking.id} className={styles.step}>
              <RowText>
                <RowName as="h3">
                  <RowLink to={`${paths.guruCalendar}?booking=${booking.id}`}>{personName(booking)}</RowLink>
                </RowName>
                <p>{formatSession(booking.startsAt, booking.endsAt, booking.zone)}</p>
                <RowFacts>
                  <span className={styles.long}>{booking.serviceName}</span>
                  {booking.waiverDue && <Badge tone="warning">Waiver due</Badge>}
                </RowFacts>
              </RowText>
              <ArrowRight size={18} aria-hidden="true" />
            </Card>
          ))}
        </DataList>
      ) : requests > 0 ? (
        <Hint>A session you accept will be listed here.</Hint>
      ) : (
        <EmptyState
          icon={CalendarDays}
          title={hasHours ? "No sessions yet" : "Set your hours and neighbors can book you."}
          action={
            <Button asChild size="sm" variant={hasHours ? "secondary" : "primary"}>
              <Link to={hasHours ? paths.guruCalendar : paths.guruHours}>
                {hasHours ? "Open the calendar" : "Set your hours"}
              </Link>
            </Button>
          }
        >
          {hasHours ? "When a neighbor books you, you'll see it here and get an email." : null}
        </EmptyState>
      )}
    </>
  );
}

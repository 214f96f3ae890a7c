import { CalendarDays } from "lucide-react";
import { useDeferredValue } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { ListRows, ListRowSkeletons } from "@/components/ui/list-row";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { useOwnBookings } from "../api/get-own-bookings";
import type { When } from "../lib/own-booking";
import { paymentDeadline } from "../lib/payment-texts";
import { SessionRow } from "./session-row";
import styles from "./sessions.module.css";

const EMPTY: Record<When, string> = {
  upcoming: "No sessions yet. Find something to learn.",
  waiting: "You aren't waiting for an answer or a spot.",
  past: "No past sessions yet.",
};

type SessionListProps = {
  when: When;
  label: string;
  /** Show nothing where there are none, because the tab has something else. */
  hidesEmpty?: boolean;
};

/** The sessions of one tab, a page at a time. */
export function SessionList({ when, label, hidesEmpty = false }: SessionListProps) {
  const list = useOwnBookings(when);
  // Deferred, because rendering all rows at once blocks slow phones.
  const data = useDeferredValue(list.data);
  const rows =
    data?.pages.flatMap(({ bookings, receivedAt }) => bookings.map((booking) => ({ booking, receivedAt }))) ?? [];
  if (list.isPending || (list.data && !data)) {
    return (
      <div>
        <p className="visually-hidden" role="status">
          Loading your sessions...
        </p>
        <ListRowSkeletons count={3} />
      </div>
    );
  }
  if (list.isError && !list.data) {
    return (
      <ErrorState
        title="We couldn't load your sessions"
        message={list.error.message}
        onRetry={() => void list.refetch()}
        retrying={list.isFetching}
      />
    );
  }
  if (rows.length === 0) {
    if (hidesEmpty) return null;
    return (
      <EmptyState
        icon={CalendarDays}
        title={EMPTY[when]}
        action={
          <Button asChild size="sm">
            <Link to={paths.skills}>Browse skills</Link>
          </Button>
        }
      />
    );
  }
  return (
    <>
      <ListRows aria-label={label}>
        {rows.map(({ booking, receivedAt }) => (
          <SessionRow key={booking.id} booking={booking} deadline={paymentDeadline(booking, receivedAt)} />
        ))}
      </ListRows>
      {list.hasNextPage && (
        <div className={styles.more}>
          <Button variant="secondary" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
          {list.isFetchNextPageError && (
            <p role="alert" className={styles.soft}>
              We couldn't load more sessions. Try again.
            </p>
          )}
        </div>
      )}
    </>
  );
}

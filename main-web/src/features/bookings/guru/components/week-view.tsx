import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { toast } from "@/lib/toast-store";
import { cx } from "@/lib/cx";
import { ButtonRow, Stack } from "@/components/ui/stack";
import { Hint } from "@/components/ui/hint";
import { Choice } from "@/components/ui/choices";
import { personName } from "@/lib/person-name";
import { addDays, instantOf } from "@/lib/wall-time";
import type { GuruBusyTime, GuruSession, GuruWeek } from "../lib/types";
import { useCancelSession } from "../api/cancel-session";
import { useWeek } from "../api/get-week";
import styles from "./calendar.module.css";
import { ReasonDialog } from "./reason-dialog";
import { formatClock, formatSessionDay, localDay, zoneName } from "@porchlight/shared/format/session-times";

const DAYS = [0, 1, 2, 3, 4, 5, 6] as const;

type WeekViewProps = { from: string; onFromChange: (from: string) => void; onOpen: (id: string) => void };

/** Seven days of sessions and busy times: columns on a wide screen, a list on a phone or by choice. */
export function WeekView({ from, onFromChange, onOpen }: WeekViewProps) {
  const week = useWeek(from);
  const [isList, setIsList] = useState(false);
  if (week.isPending) {
    return (
      <div aria-busy="true">
        <Skeleton height="20rem" radius="md" />
      </div>
    );
  }
  if (week.isError) {
    return (
      <ErrorState
        title="We couldn't load your calendar"
        message={week.error.message}
        onRetry={() => void week.refetch()}
        retrying={week.isFetching}
      />
    );
  }
  const { zone } = week.data;
  const first = week.data.from;
  return (
    <Stack>
      <div className={styles.tools}>
        <ButtonRow>
          <Button variant="secondary" aria-label="Previous week" onClick={() => onFromChange(addDays(first, -7))}>
            <ChevronLeft size={18} aria-hidden="true" />
          </Button>
          <Button variant="secondary" onClick={() => onFromChange("")}>
            Today
          </Button>
          <Button variant="secondary" aria-label="Next week" onClick={() => onFromChange(addDays(first, 7))}>
            <ChevronRight size={18} aria-hidden="true" />
          </Button>
        </ButtonRow>
        <Choice className={styles.toggle} aria-pressed={isList} onClick={() => setIsList(!isList)}>
          Week as a list
        </Choice>
      </div>
      <Hint>Times are in {zoneName(instantOf(first, "12:00", zone) ?? "", zone)}.</Hint>
      {week.data.more && (
        <Notice>
          This week has very many bookings, and the last ones are missing here. The lists have all of them.
        </Notice>
      )}
      <Days week={week.data} isList={isList} onOpen={onOpen} />
    </Stack>
  );
}

function Days({ week, isList, onOpen }: { week: GuruWeek; isList: boolean; onOpen: (id: string) => void }) {
  const { zone } = week;
  return (
    <ol className={cx(styles.week, isList && styles.list)} aria-label="Days">
      {DAYS.map((offset) => {
        const day = addDays(week.from, offset);
        const sessions = week.sessions.filter(
          ({ startsAt, endsAt }) => localDay(startsAt, zone) <= day && localDay(endsAt, zone) >= day,
        );
        const busy = week.busy.filter(
          ({ startsAt, endsAt }) => localDay(startsAt, zone) <= day && localDay(lastMoment(endsAt), zone) >= day,
        );
        return (
          <li key={day} className={styles.day}>
            <h2 className={styles.dayName}>{formatSessionDay(`${day}T12:00:00Z`, "UTC")}</h2>
            {sessions.length === 0 && <p className={styles.none}>No sessions</p>}
            {sessions.map((session) => (
              <Session key={session.id} session={session} zone={zone} onOpen={onOpen} />
            ))}
            {busy.map((time) => (
              <ElsewhereBusy key={time.calendar + time.startsAt} time={time} day={day} zone={zone} />
            ))}
          </li>
        );
      })}
    </ol>
  );
}

/** A busy time ends before its end: one until midnight is not of the next day. */
const lastMoment = (endsAt: string) => new Date(Date.parse(endsAt) - 1).toISOString();

/** A busy time of a connected calendar, as far as it is on a day. */
function ElsewhereBusy({ time, day, zone }: { time: GuruBusyTime; day: string; zone: string }) {
  const startsBefore = localDay(time.startsAt, zone) < day;
  const endsAfter = localDay(time.endsAt, zone) > day;
  const from = startsBefore ? "" : formatClock(time.startsAt, zone);
  const until = endsAfter ? "" : formatClock(time.endsAt, zone);
  const isAllDay = endsAfter && (startsBefore || from === "12:00 AM");
  return (
    <div className={cx(styles.session, styles.busy)}>
      <p className={styles.clock}>
        {isAllDay ? "All day" : from && until ? `${from} – ${until}` : from ? `From ${from}` : `Until ${until}`}
      </p>
      <p>Busy · {time.calendar}</p>
    </div>
  );
}

type SessionProps = { session: GuruSession; zone: string; onOpen: (id: string) => void };

function Session({ session, zone, onOpen }: SessionProps) {
  const [isCanceling, setIsCanceling] = useState(false);
  const cancel = useCancelSession(session.id);
  const clocks = `${formatClock(session.startsAt, zone)} – ${formatClock(session.endsAt, zone)}`;

  async function cancelAll(reason: string) {
    try {
      await cancel.mutateAsync(reason);
      setIsCanceling(false);
      toast.success("Canceled. We've told everyone.");
    } catch {
      // The error is shown in the dialog.
    }
  }

  if (session.kind === "block") {
    return (
      <div className={cx(styles.session, styles.busy)}>
        <p className={styles.clock}>{clocks}</p>
        <p>Busy</p>
      </div>
    );
  }
  if (session.kind === "exchange") {
    return (
      <div className={styles.session}>
        <p className={styles.clock}>{clocks}</p>
        <Link className="tap-link" to={generatePath(paths.exchange, { id: session.id })}>
          Session with a neighbor
        </Link>
      </div>
    );
  }
  return (
    <div className={styles.session}>
      <p className={styles.clock}>{clocks}</p>
      <p>{session.serviceName}</p>
      {(session.fixed || session.capacity > 1) && (
        <Hint>
          {session.taken} of {session.capacity} spots{session.waiting > 0 && `, ${session.waiting} waiting`}
        </Hint>
      )}
      {session.bookings
        .filter(({ status }) => status !== "held")
        .map((booking) => (
          <Button
            key={booking.id}
            size="sm"
            variant="secondary"
            className={styles.person}
            onClick={() => onOpen(booking.id)}
          >
            {personName(booking)}
            {booking.status === "requested" && " (request)"}
            {booking.proposal && " – new time proposed"}
            {booking.waiverDue && " – waiver due"}
          </Button>
        ))}
      {session.bookings.some(({ canCancel }) => canCancel) && session.capacity > 1 && (
        <Button size="sm" variant="ghost" onClick={() => setIsCanceling(true)}>
          Cancel for everyone
        </Button>
      )}
      {isCanceling && (
        <ReasonDialog
          title="Cancel this session for everyone?"
          text="It's free for everyone, and we'll email them your reason."
          action="Cancel for everyone"
          required
          busy={cancel.isPending}
          error={cancel.error}
          onConfirm={(reason) => void cancelAll(reason)}
          onClose={() => setIsCanceling(false)}
        />
      )}
    </div>
  );
}

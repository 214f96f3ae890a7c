import { useState } from "react";
import { generatePath, useNavigate } from "react-router-dom";
import { Hint } from "@/components/ui/hint";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { Stack } from "@/components/ui/stack";
import { ErrorState } from "@/components/ui/state";
import { paths } from "@/config/paths";
import { useBlockActions } from "@/features/hours/contract";
import { cx } from "@/lib/cx";
import { errorMessage } from "@/lib/errors";
import { toast } from "@/lib/toast-store";
import { addDays, instantOf } from "@/lib/wall-time";
import { useMoveStarts } from "../api/get-move-starts";
import { useWeek } from "../api/get-week";
import type { GuruWeek } from "../lib/types";
import { Agenda } from "./agenda";
import { freeTimes, isoOf, sentBookings, shownTimes, weekEvents, type CalendarEvent } from "./events";
import { dayAxis, hourRange, type Span } from "./layout";
import { MoveDialog } from "./move-dialog";
import type { Move } from "./move-state";
import { SessionDialog } from "./session-dialog";
import { BlockDialog, BusyDialog, FreeTimeDialog } from "./time-dialogs";
import { TimeGrid } from "./time-grid";
import { useIsNarrow } from "./use-is-narrow";
import { useNow } from "./use-now";
import { isView, shownView, ViewTools, type View } from "./view-tools";
import styles from "./week.module.css";
import { formatSessionStart, zoneName } from "@porchlight/shared/format/session-times";

const ALL_HOURS = { first: 0, last: 24 };

type WeekViewProps = {
  /** The first day that is shown, "" for today. */
  from: string;
  /** How days are shown, "" for what fits the screen. */
  view: string;
  onFromChange: (from: string) => void;
  onViewChange: (view: View) => void;
  onOpen: (bookingId: string) => void;
  /** Book a session at a time for a customer; null for a guru who can't. */
  onBook: ((startsAt: string) => void) | null;
};

/** Days of sessions and busy times: a day or a week by the hour, or a list, which is what a phone begins with. */
export function WeekView({ from, view: wanted, onFromChange, onViewChange, onOpen, onBook }: WeekViewProps) {
  const week = useWeek(from);
  const isNarrow = useIsNarrow();
  const view = shownView(isView(wanted) ? wanted : null, isNarrow);
  const [isAllHours, setIsAllHours] = useState(false);
  if (week.isPending) return <Loading />;
  if (week.isError && !week.data) {
    return (
      <ErrorState
        title="We couldn't load your calendar"
        message={week.error.message}
        onRetry={() => void week.refetch()}
        retrying={week.isFetching}
      />
    );
  }
  const first = week.data.from;
  const page = (direction: 1 | -1) => onFromChange(addDays(first, direction * (view === "day" ? 1 : 7)));
  return (
    <Stack>
      <ViewTools
        view={view}
        isNarrow={isNarrow}
        from={first}
        onViewChange={onViewChange}
        onFromChange={onFromChange}
        onPage={page}
        isAllHours={isAllHours}
        onAllHoursChange={setIsAllHours}
      />
      <Hint>
        <span>Times are in {zoneName(instantOf(first, "12:00", week.data.zone) ?? "", week.data.zone)}.</span>
        {view !== "list" && (
          <span>
            {" "}
            Choose an empty time to block or book it.{!isNarrow && " Drag a session to move it, or press M on it."}
          </span>
        )}
      </Hint>
      {week.data.pausedUntil !== null && (
        <Notice>You take no bookings until {formatSessionStart(week.data.pausedUntil, week.data.zone)}.</Notice>
      )}
      {week.data.more && (
        <Notice>
          This week has very many bookings, and the last ones are missing here. The lists have all of them.
        </Notice>
      )}
      <div className={cx(week.isPlaceholderData && styles.loading)} aria-busy={week.isPlaceholderData}>
        <Days week={week.data} view={view} isAllHours={isAllHours} onPage={page} onOpen={onOpen} onBook={onBook} />
      </div>
    </Stack>
  );
}

function Loading() {
  return (
    <div aria-busy="true">
      <Stack>
        <Skeleton width="16rem" height="2.625rem" radius="md" />
        <Skeleton height="34rem" radius="md" />
      </Stack>
    </div>
  );
}

type DaysProps = Pick<WeekViewProps, "onOpen" | "onBook"> & {
  week: GuruWeek;
  view: View;
  isAllHours: boolean;
  onPage: (direction: 1 | -1) => void;
};

/** What the guru opened: an event, or an empty time. */
type Opened = { event: CalendarEvent; time?: undefined } | { event?: undefined; time: Span };

function Days({ week, view, isAllHours, onPage, onOpen, onBook }: DaysProps) {
  const navigate = useNavigate();
  const now = useNow();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [move, setMove] = useState<Move | null>(null);
  const { saveBlock } = useBlockActions();
  const asked = move?.event.session && sentBookings(move.event.session).find(({ canPropose }) => canPropose);
  const starts = useMoveStarts(asked?.id ?? null, week.from).data?.starts.map((start) => Date.parse(start));
  const { zone } = week;
  const events = weekEvents(week);
  const free = freeTimes(week, events, now);
  const range = view === "list" || isAllHours ? ALL_HOURS : hourRange(shownTimes(week), zone);
  const axes = Array.from({ length: view === "day" ? 1 : 7 }, (_, day) =>
    dayAxis(addDays(week.from, day), zone, range),
  );

  function openEvent(event: CalendarEvent) {
    const [booking, ...others] = event.session ? sentBookings(event.session) : [];
    if (event.kind === "exchange") void navigate(generatePath(paths.exchange, { id: event.id }));
    else if (event.kind === "session" && booking && others.length === 0 && event.session?.capacity === 1) {
      onOpen(booking.id);
    } else setOpened({ event });
  }

  async function finishMove(moved: Move) {
    const { event, startsAt } = moved;
    if (startsAt === event.from) {
      setMove(null);
      return;
    }
    setMove({ ...moved, phase: "asking" });
    if (event.kind !== "block" || !event.session) return;
    const endsAt = isoOf(startsAt + event.until - event.from);
    try {
      await saveBlock({ startsAt: isoOf(startsAt), endsAt }, event.session);
      setMove(null);
    } catch (reason) {
      toast.error(errorMessage(reason));
      setMove({ ...moved, phase: "returning" });
    }
  }

  const close = () => setOpened(null);
  const { event, time } = opened ?? {};
  return (
    <>
      {view === "list" ? (
        <Agenda
          {...{ axes, zone, events, free, now }}
          onOpen={openEvent}
          onFree={(free) => setOpened({ time: free })}
        />
      ) : (
        <TimeGrid
          label={view === "day" ? "Day" : "Week"}
          {...{ axes, zone, events, free, now, move, onPage }}
          allowed={starts}
          onMoveChange={setMove}
          onMoved={(moved) => void finishMove(moved)}
          onOpen={openEvent}
          onFree={(free) => setOpened({ time: free })}
        />
      )}
      {time && (
        <FreeTimeDialog
          time={time}
          zone={zone}
          onBook={
            onBook &&
            (() => {
              close();
              onBook(isoOf(time.from));
            })
          }
          onClose={close}
        />
      )}
      {event?.kind === "block" && event.session && <BlockDialog block={event.session} zone={zone} onClose={close} />}
      {event?.kind === "busy" && <BusyDialog event={event} zone={zone} onClose={close} />}
      {event?.kind === "session" && event.session && (
        <SessionDialog
          session={event.session}
          zone={zone}
          onOpen={(id) => {
            close();
            onOpen(id);
          }}
          onClose={close}
        />
      )}
      {move?.phase === "asking" && move.event.kind === "session" && move.event.session && (
        <MoveDialog
          session={move.event.session}
          zone={zone}
          startsAt={isoOf(move.startsAt)}
          isOffered={!starts || starts.includes(move.startsAt)}
          onDone={() => setMove(null)}
          onClose={() => setMove({ ...move, phase: "returning" })}
        />
      )}
    </>
  );
}

import { CalendarX } from "lucide-react";
import { generatePath, Link, Navigate, useParams, useSearchParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { PageHead } from "@/components/layout/page-head";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { useFlag } from "@/lib/feature-flags";
import { forgetHeldBooking } from "@/lib/held-booking";
import type { LoginState } from "@/lib/login-redirect";
import { useSession } from "@/lib/session/session-context";
import { TitleText } from "@/components/ui/title-text";
import { useNewBooking } from "../api/get-booking";
import { releaseHold } from "../api/release-hold";
import { Booked } from "../components/booked";
import styles from "../components/book-page.module.css";
import { BookingForm } from "../components/booking-form";
import { BookingFrame } from "../components/booking-frame";
import { SessionPlace } from "../components/session-place";
import { bookPath, guruTimesUrl } from "../lib/book-page-url";
import type { Hold } from "../lib/types";
import { useLiveHold } from "../lib/use-live-hold";
import { ApiError } from "@porchlight/shared/client";

/** Books a time that is kept for ten minutes. Afterwards the query names the booking, so that a reload shows it. */
export function BookPage() {
  const { token = "" } = useParams();
  const [search] = useSearchParams();
  const isOn = useFlag("booking");
  const booking = search.get("booking");
  if (!isOn) return <Navigate to={paths.dashboard} replace />;
  return booking === null ? <HeldTime key={token} token={token} /> : <BookedTime token={token} id={booking} />;
}

function HeldTime({ token }: { token: string }) {
  const session = useSession();
  const { hold, deadline } = useLiveHold(token);
  if (hold.error instanceof ApiError && hold.error.status === 404) return <NotHeld />;
  if (hold.isError) {
    return <Failed message={hold.error.message} onRetry={() => void hold.refetch()} isRetrying={hold.isFetching} />;
  }
  if (hold.isPending) return <Loading />;
  if (session.status !== "signed-in") {
    // The login page shows the time.
    const state: LoginState = { from: bookPath(token) };
    return <Navigate to={paths.login} replace state={state} />;
  }
  // Everything is entered, and only the payment is missing.
  if (hold.data.bookingId) return <Navigate to={generatePath(paths.session, { id: hold.data.bookingId })} replace />;
  const title = `Book ${hold.data.serviceName}`;
  return (
    <PageHead title={title} description={`Book ${hold.data.serviceName} with ${hold.data.guruName}.`}>
      <div className={`container ${styles.page}`}>
        <h1>
          <TitleText>{title}</TitleText>
        </h1>
        <div className={styles.columns}>
          <div className={styles.beside}>
            <BookingFrame
              guru={hold.data.guru}
              session={{ ...hold.data, package: null }}
              hasPackage={hold.data.package !== null}
              deadline={deadline}
            >
              <SessionPlace session={hold.data} />
            </BookingFrame>
            {/* An offered spot would be lost to the next person on the waitlist. */}
            {!hold.data.isOffer && <ChangeTime hold={hold.data} />}
          </div>
          <BookingForm hold={hold.data} user={session.user} deadline={deadline} onReload={() => void hold.refetch()} />
        </div>
      </div>
    </PageHead>
  );
}

/** Gives the time up and goes back to the guru's times. */
function ChangeTime({ hold }: { hold: Hold }) {
  const href = guruTimesUrl(hold);
  return (
    <p>
      <a
        href={href}
        onClick={(event) => {
          event.preventDefault();
          forgetHeldBooking();
          void releaseHold(hold.token).then(() => window.location.assign(href));
        }}
      >
        Choose another time
      </a>
    </p>
  );
}

function BookedTime({ token, id }: { token: string; id: string }) {
  const session = useSession();
  const booking = useNewBooking(id);
  if (session.status !== "signed-in") {
    const state: LoginState = { from: `${bookPath(token)}?booking=${encodeURIComponent(id)}` };
    return <Navigate to={paths.login} replace state={state} />;
  }
  if (booking.error instanceof ApiError && booking.error.status === 404) return <NotHeld />;
  if (booking.isError) {
    return (
      <Failed message={booking.error.message} onRetry={() => void booking.refetch()} isRetrying={booking.isFetching} />
    );
  }
  if (booking.isPending) return <Loading />;
  if (!["confirmed", "requested"].includes(booking.data.status)) return <Navigate to={paths.sessions} replace />;
  return <Booked booking={booking.data} />;
}

function Loading() {
  return (
    <div className={`container ${styles.page}`} aria-busy="true">
      <h1 className="visually-hidden">Book a session</h1>
      <Skeleton width="60%" height="3rem" />
      <Skeleton height="16rem" radius="md" />
    </div>
  );
}

function NotHeld() {
  return (
    <PageHead title="Your hold has ended" description="This time is no longer held.">
      <div className={`container ${styles.page}`}>
        <h1>Your hold has ended</h1>
        <EmptyState
          icon={CalendarX}
          title="This time is no longer held for you"
          action={
            <Button asChild variant="secondary">
              <Link to={paths.sessions}>See my sessions</Link>
            </Button>
          }
        >
          If you booked it, it's in your sessions. Otherwise, please pick a time again.
        </EmptyState>
      </div>
    </PageHead>
  );
}

type FailedProps = { message: string; onRetry: () => void; isRetrying: boolean };

function Failed({ message, onRetry, isRetrying }: FailedProps) {
  return (
    <PageHead title="Book a session" description="Book a session with a guru on Porchlight.">
      <div className={`container ${styles.page}`}>
        <h1>Book a session</h1>
        <ErrorState title="We couldn't load your booking" message={message} onRetry={onRetry} retrying={isRetrying} />
      </div>
    </PageHead>
  );
}

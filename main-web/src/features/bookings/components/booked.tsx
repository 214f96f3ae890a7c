import { CalendarCheck } from "lucide-react";
import { useEffect, useRef } from "react";
import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { AddToCalendar } from "@/components/add-to-calendar";
import { PageHead } from "@/components/layout/page-head";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Logo } from "@/components/ui/logo";
import { forgetHeldBooking } from "@/lib/held-booking";
import { PushOffer } from "@/features/notifications/contract";
import { sessionEvent } from "../lib/session-event";
import { meetingPlace } from "../lib/session-texts";
import type { OwnBooking } from "../lib/types";
import styles from "./book-page.module.css";
import { BookingFrame } from "./booking-frame";
import { SeriesSessions } from "./series-sessions";
import { SessionGuru } from "./session-guru";
import { SessionPlace } from "./session-place";
import { Signatures } from "./signatures";
import { formatSessionStart } from "@porchlight/shared/format/session-times";

/** Says that the session is booked or asked for, and what comes next. */
export function Booked({ booking }: { booking: OwnBooking }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    forgetHeldBooking();
  }, []);
  const isRequest = booking.status === "requested";
  const isSeries = booking.seriesId !== null;
  const title = isRequest ? `Request sent to ${booking.guruName}` : "You're booked!";
  return (
    <PageHead title={title} description={`${booking.serviceName} with ${booking.guruName}`}>
      <div className={`container ${styles.page}`}>
        <Card as="section" padding="lg" className={styles.booked}>
          {isRequest ? <CalendarCheck size={36} aria-hidden="true" /> : <Logo size={56} className={styles.litHouse} />}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          <BookingFrame guru={booking.guru} session={booking}>
            <SessionPlace session={booking} address={meetingPlace(booking)} />
          </BookingFrame>
          {booking.seriesId !== null && (
            <section aria-labelledby="series" className={styles.step}>
              <h2 id="series" className={styles.stepTitle}>
                All your sessions
              </h2>
              <SeriesSessions seriesId={booking.seriesId} hasCalendars />
            </section>
          )}
          <p>
            {isRequest && booking.expiresAt !== null
              ? `${booking.guruName} has until ${formatSessionStart(booking.expiresAt, "")} to answer. We'll email you.`
              : `Check your email for the invitation, or add the ${isSeries ? "sessions" : "session"} to your calendar here.`}
          </p>
          {booking.people.some(({ signer, covered }) => signer === "link" && !covered) && (
            <section aria-labelledby="signatures" className={styles.step}>
              <h2 id="signatures" className={styles.stepTitle}>
                Who still has to sign
              </h2>
              <p>Everyone needs a waiver before the session. We email the links, or you can send them yourself.</p>
              <Signatures booking={booking} canSign={false} onSign={() => undefined} />
            </section>
          )}
          {!isRequest && !isSeries && (
            <div>
              <AddToCalendar
                event={sessionEvent(booking, generatePath(paths.session, { id: booking.id }))}
                file={`/api/bookings/${booking.id}/session.ics`}
              />
            </div>
          )}
          <PushOffer>
            {isRequest
              ? `Get a note on this device when ${booking.guruName} answers?`
              : "Get a note on this device before your session?"}
          </PushOffer>
          {!isRequest && !isSeries && (
            <p>
              When you come, <Link to={generatePath(paths.pass, { id: booking.id })}>show your pass</Link>. Open it once
              before, then it works without a connection.
            </p>
          )}
          <Button asChild size="lg" block>
            <Link to={paths.sessions}>See my sessions</Link>
          </Button>
        </Card>
        <SessionGuru booking={booking} hasFace={false} />
      </div>
    </PageHead>
  );
}

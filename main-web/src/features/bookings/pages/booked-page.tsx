import { Unlink } from "lucide-react";
import { useState } from "react";
import { generatePath, Link, useParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { AddToCalendar } from "@/components/add-to-calendar";
import { PageHead } from "@/components/layout/page-head";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { LoadingBlock } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { SessionReviews } from "@/features/reviews/contract";
import { useBooked } from "../api/get-booked";
import { Claimed, ClaimCard } from "../components/claim-card";
import { CancelDialog } from "../components/cancel-dialog";
import { MoveDialog } from "../components/move-dialog";
import { PlaceAddress } from "../components/place-address";
import { hasAnswers, SessionAnswers } from "../components/session-answers";
import { SessionGuru } from "../components/session-guru";
import { SessionHeading } from "../components/session-heading";
import { SessionTime } from "../components/session-time";
import styles from "../components/sessions.module.css";
import type { OwnBooking } from "../lib/types";
import { sessionEvent } from "../lib/session-event";
import {
  canCancel,
  canMove,
  cancellationTerms,
  endedText,
  hasPass,
  meetingPlace,
  moveTerms,
  placeLabel,
  preparation,
  priceText,
} from "../lib/session-texts";
import { formatClock } from "@porchlight/shared/format/session-times";
import { ApiError, fieldErrors } from "@porchlight/shared/client";

/** The session that a guru booked for someone without an account, with the link from their email. */
export function BookedPage() {
  const { link = "" } = useParams();
  const booked = useBooked(link);
  const isUnknown = booked.error instanceof ApiError && booked.error.status === 404;
  const isClaimed = booked.error instanceof ApiError && booked.error.code === "booking_claimed";
  const claimedId = isClaimed ? fieldErrors(booked.error).id : undefined;
  return (
    <PageHead title="Your session" description="See, move or cancel a session on Porchlight.">
      <div className={`container ${styles.page} ${styles.narrow}`} aria-busy={booked.isPending}>
        {booked.isPending && <LoadingBlock height="20rem" />}
        {isUnknown && (
          <>
            <h1 className={styles.title}>Link not found</h1>
            <EmptyState
              icon={Unlink}
              title="This link doesn't work"
              action={
                <Button asChild variant="secondary">
                  <Link to={paths.home}>Go to Porchlight</Link>
                </Button>
              }
            >
              Open the link from your email again, or ask the person who booked the session for you.
            </EmptyState>
          </>
        )}
        {claimedId !== undefined && <Claimed id={claimedId} />}
        {booked.isError && !booked.data && !isUnknown && claimedId === undefined && (
          <>
            <h1 className={styles.title}>Your session</h1>
            <ErrorState
              title="We couldn't load your session"
              message={booked.error.message}
              onRetry={() => void booked.refetch()}
              retrying={booked.isFetching}
            />
          </>
        )}
        {booked.data && !isUnknown && !isClaimed && <Session booking={booked.data} link={link} />}
      </div>
    </PageHead>
  );
}

function Session({ booking, link }: { booking: OwnBooking; link: string }) {
  const [dialog, setDialog] = useState<"cancel" | "move" | null>(null);
  const place = meetingPlace(booking);
  const ended = endedText(booking);
  return (
    <>
      <SessionHeading booking={booking} />
      {ended && <Notice>{booking.reason ? `${ended} Reason: “${booking.reason}”` : ended}</Notice>}
      {booking.waiverDue && (
        <Notice tone="warning">
          Everyone who takes part needs to sign a waiver: {booking.people.filter(({ covered }) => !covered).length} of{" "}
          {booking.people.length} still to sign. Use the link from the email about the waiver, or sign at{" "}
          {booking.guruName}&apos;s.
        </Notice>
      )}
      <Card as="section" className={styles.terms} aria-label="Details">
        <SessionTime booking={booking} />
        <p>{placeLabel(booking, place)}</p>
        {place && (
          <div>
            <PlaceAddress text={place} />
          </div>
        )}
        {preparation(booking).map(({ label, text }) => (
          <p key={label}>
            {label}: <span className={styles.userText}>{text}</span>
          </p>
        ))}
        {hasAnswers(booking) && (
          <div>
            <SessionAnswers booking={booking} link={link} />
          </div>
        )}
        <p>{priceText(booking)}</p>
        {hasPass(booking) && (
          <p>
            <Link to={generatePath(paths.bookedPass, { link })}>Show your pass</Link> when you come. It works without a
            connection.
          </p>
        )}
        {booking.checkedInAt !== null && (
          <p>You were checked in at {formatClock(booking.checkedInAt, booking.zone)}.</p>
        )}
        {booking.status === "confirmed" && (
          <div>
            <AddToCalendar
              event={sessionEvent(booking, generatePath(paths.booked, { link }))}
              file={`/api/booked/${link}/session.ics`}
            />
          </div>
        )}
      </Card>
      <SessionGuru booking={booking} isLink />
      {canCancel(booking) && (
        <Card as="section" aria-labelledby="terms" className={styles.terms}>
          <h2 id="terms" className={styles.name}>
            Changes and cancellation
          </h2>
          <p>{cancellationTerms(booking)}</p>
          <p>{moveTerms(booking)}</p>
          <div className={styles.buttons}>
            {canMove(booking) && <Button onClick={() => setDialog("move")}>Move session</Button>}
            <Button variant="secondary" onClick={() => setDialog("cancel")}>
              Cancel session
            </Button>
          </div>
        </Card>
      )}
      <SessionReviews session={{ ...booking, link }} />
      <ClaimCard link={link} guruName={booking.guruName} />
      {dialog === "cancel" && <CancelDialog booking={booking} link={link} onClose={() => setDialog(null)} />}
      {dialog === "move" && <MoveDialog booking={booking} link={link} onClose={() => setDialog(null)} />}
    </>
  );
}

import { Unlink } from "lucide-react";
import { useState } from "react";
import { Link, useParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { Page } from "@/components/layout/page";
import { TimeChoice } from "@/components/times/time-choice";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Confirm } from "@/components/ui/confirm";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { LoadingBlock } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { toast } from "@/lib/toast-store";
import { useChangeBooked } from "../api/change-booked";
import { useBooked } from "../api/get-booked";
import { SessionTime } from "../components/session-time";
import styles from "../components/sessions.module.css";
import type { Booking } from "../lib/own-booking";
import {
  canCancel,
  canMove,
  cancellationTerms,
  endedText,
  meetingPlace,
  moveTerms,
  placeLabel,
  statusBadge,
} from "../lib/session-texts";
import { formatMoney } from "@porchlight/shared/format/money";
import { ApiError } from "@porchlight/shared/client";

/** The session that a guru booked for someone without an account, with the link from their email. */
export function BookedPage() {
  const { link = "" } = useParams();
  const booked = useBooked(link);
  const isUnknown = booked.error instanceof ApiError && booked.error.status === 404;
  return (
    <Page title="Your session" description="See, move or cancel a session on Porchlight.">
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
        {booked.isError && !booked.data && !isUnknown && (
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
        {booked.data && !isUnknown && <Session booking={booked.data} link={link} />}
      </div>
    </Page>
  );
}

function Session({ booking, link }: { booking: Booking; link: string }) {
  const [dialog, setDialog] = useState<"cancel" | "move" | null>(null);
  const { label, tone } = statusBadge(booking);
  const place = meetingPlace(booking);
  const ended = endedText(booking);
  return (
    <>
      <header className={styles.heading}>
        <h1 className={styles.title}>{booking.serviceName}</h1>
        <p className={styles.lead}>
          with {booking.guruName} <Badge tone={tone}>{label}</Badge>
        </p>
      </header>
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
        {place && <p className={styles.userText}>{place}</p>}
        <p>
          {booking.priceCents > 0 ? `${formatMoney(booking.priceCents, booking.currency)}, pay at the session` : "Free"}
        </p>
        {booking.status === "confirmed" && (
          <p>
            <a href={`/api/booked/${link}/session.ics`} download="session.ics">
              Add to your calendar
            </a>
          </p>
        )}
      </Card>
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
      {dialog === "cancel" && <CancelBooked booking={booking} link={link} onClose={() => setDialog(null)} />}
      {dialog === "move" && <MoveBooked booking={booking} link={link} onClose={() => setDialog(null)} />}
    </>
  );
}

type DialogProps = { booking: Booking; link: string; onClose: () => void };

function CancelBooked({ booking, link, onClose }: DialogProps) {
  const change = useChangeBooked(link);
  return (
    <Confirm
      open
      onOpenChange={(open) => !open && onClose()}
      title="Cancel this session?"
      action="Cancel session"
      cancel="Keep session"
      busy={change.isPending}
      description={`${booking.serviceName} with ${booking.guruName}. ${cancellationTerms(booking)}`}
      onConfirm={() =>
        change.mutate(
          { change: "cancellation", body: { termsDigest: booking.terms.digest, reason: "" } },
          {
            onSuccess: () => {
              toast.success("Your session is canceled.");
              onClose();
            },
          },
        )
      }
    >
      {change.isError && <Notice tone="danger">{change.error.message}</Notice>}
    </Confirm>
  );
}

function MoveBooked({ booking, link, onClose }: DialogProps) {
  const change = useChangeBooked(link);
  const [start, setStart] = useState("");
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Move this session"
      description={`${booking.serviceName} with ${booking.guruName}. ${moveTerms(booking)}`}
      fullScreenOnPhones
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Keep this time
          </Button>
          <Button
            disabled={!start}
            loading={change.isPending}
            onClick={() =>
              change.mutate(
                { change: "move", body: { termsDigest: booking.terms.digest, startsAt: start } },
                {
                  onSuccess: () => {
                    toast.success("Your session is moved.");
                    onClose();
                  },
                },
              )
            }
          >
            Move session
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {change.isError && <Notice tone="danger">{change.error.message}</Notice>}
        <TimeChoice
          session={booking}
          guruLabel={booking.guruLabel}
          serviceId={booking.serviceId}
          start={start}
          onStartChange={setStart}
          none={`${booking.guruName} has no other free times right now.`}
        />
      </div>
    </Dialog>
  );
}

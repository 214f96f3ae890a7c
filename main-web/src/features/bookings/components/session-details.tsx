import {
  CalendarClock,
  CircleDollarSign,
  MapPin,
  MessageCircleQuestionMark,
  QrCode,
  StickyNote,
  UserCheck,
  Users,
} from "lucide-react";
import { useState, type ReactNode } from "react";
import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { serviceTimesUrl } from "@/lib/guru-site";
import { AddToCalendar } from "@/components/add-to-calendar";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { SessionReviews } from "@/features/reviews/contract";
import {
  canCancel,
  canChangeAddress,
  canMove,
  cancellationTerms,
  endedText,
  hasPass,
  meetingPlace,
  missedTerms,
  moveTerms,
  placeLabel,
  packageEndText,
  preparation,
  priceText,
} from "../lib/session-texts";
import { sessionEvent } from "../lib/session-event";
import { endedCardText, heldCardOf, owedStage } from "../lib/kept-card-texts";
import { arrivedText, endedPaymentText, paidOf, paymentStage, REFUND_DAYS, refundedText } from "../lib/payment-texts";
import { tookPlace } from "../lib/tip-texts";
import type { OwnBooking } from "../lib/types";
import type { PaymentWait } from "../lib/use-payment-wait";
import { AddressDialog } from "./address-dialog";
import { CancelDialog } from "./cancel-dialog";
import { MoveDialog } from "./move-dialog";
import { OwedCard } from "./owed-card";
import { PaymentCard } from "./payment-card";
import { PlaceAddress } from "./place-address";
import { Proposal } from "./proposal";
import { SeriesSessions } from "./series-sessions";
import { hasAnswers, SessionAnswers } from "./session-answers";
import { SessionGuru } from "./session-guru";
import { SessionHeading } from "./session-heading";
import { SessionTime } from "./session-time";
import { TipCard } from "./tip-card";
import { WaiverState } from "./waiver-state";
import styles from "./sessions.module.css";
import { formatMoney } from "@porchlight/shared/format/money";
import { formatClock, formatSessionStart } from "@porchlight/shared/format/session-times";

/** A session with everything about it, and the actions that are possible now. */
export function SessionDetails({ booking, wait }: { booking: OwnBooking; wait: PaymentWait }) {
  const [dialog, setDialog] = useState<"address" | "cancel" | "move" | null>(null);
  const isOpen = canCancel(booking);
  const ended = endedText(booking);
  const stage = paymentStage(booking);
  const owed = owedStage(booking);
  return (
    <>
      <SessionHeading booking={booking} />
      {wait.isNew && stage === null && owed === null && <Notice tone="success">{arrivedText(booking)}</Notice>}
      {stage !== null && <PaymentCard booking={booking} stage={stage} wait={wait} />}
      {owed !== null && <OwedCard booking={booking} stage={owed} wait={wait} />}
      {ended && <Ended booking={booking} text={ended} />}
      {booking.status === "requested" && booking.expiresAt && booking.proposal === null && (
        <Notice>
          {booking.guruName} has until {formatSessionStart(booking.expiresAt, booking.zone)} to answer.
        </Notice>
      )}
      {booking.proposal && <Proposal key={booking.proposal.startsAt} booking={booking} proposal={booking.proposal} />}
      <WaiverState booking={booking} />
      <Card as="section" className={styles.facts} aria-label="Details">
        <Fact icon={<CalendarClock size={18} aria-hidden="true" />}>
          <SessionTime booking={booking} />
        </Fact>
        <Fact icon={<MapPin size={18} aria-hidden="true" />}>
          {placeLabel(booking, meetingPlace(booking))}
          {meetingPlace(booking) && <PlaceAddress text={meetingPlace(booking)} />}
          {booking.place === "person" && booking.placeText && (
            <div>
              {booking.guruName} needs there: <span className={styles.userText}>{booking.placeText}</span>
            </div>
          )}
          {preparation(booking).map(({ label, text }) => (
            <div key={label}>
              {label}: <span className={styles.userText}>{text}</span>
            </div>
          ))}
          {canChangeAddress(booking) && (
            <div className={styles.change}>
              <Button variant="secondary" size="sm" onClick={() => setDialog("address")}>
                {booking.address === "" ? "Add your address" : "Change address"}
              </Button>
            </div>
          )}
        </Fact>
        <Fact icon={<CircleDollarSign size={18} aria-hidden="true" />}>
          {priceText(booking)}
          {paidOf(booking) && <PaidFacts booking={booking} isEnded={ended !== "" || stage !== null} />}
        </Fact>
        {booking.party > 1 && (
          <Fact icon={<Users size={18} aria-hidden="true" />}>
            {booking.party} spots{booking.participants.length > 0 && `: ${booking.participants.join(", ")}`}
          </Fact>
        )}
        {booking.note && (
          <Fact icon={<StickyNote size={18} aria-hidden="true" />}>
            Your note: <span className={styles.userText}>{booking.note}</span>
          </Fact>
        )}
        {hasAnswers(booking) && (
          <Fact icon={<MessageCircleQuestionMark size={18} aria-hidden="true" />}>
            <SessionAnswers booking={booking} />
          </Fact>
        )}
        {hasPass(booking) && (
          <Fact icon={<QrCode size={18} aria-hidden="true" />}>
            <Link to={generatePath(paths.pass, { id: booking.id })}>Show your pass</Link>
            <div>{booking.guruName} scans it when you come. It works without a connection.</div>
          </Fact>
        )}
        {booking.checkedInAt !== null && (
          <Fact icon={<UserCheck size={18} aria-hidden="true" />}>
            You were checked in at {formatClock(booking.checkedInAt, booking.zone)}.
          </Fact>
        )}
        {booking.status === "confirmed" && (
          <div>
            <AddToCalendar
              event={sessionEvent(booking, generatePath(paths.session, { id: booking.id }))}
              file={`/api/bookings/${booking.id}/session.ics`}
            />
          </div>
        )}
      </Card>
      <SessionGuru booking={booking} />
      {isOpen && (
        <Card as="section" aria-labelledby="terms" className={styles.terms}>
          <h2 id="terms" className={styles.name}>
            {booking.status === "requested" ? "Your request" : "Changes and cancellation"}
          </h2>
          {booking.status === "requested" ? (
            <p>{cancellationTerms(booking)}</p>
          ) : (
            <>
              <p>{cancellationTerms(booking)}</p>
              <p>{moveTerms(booking)}</p>
              {missedTerms(booking) && <p>{missedTerms(booking)}</p>}
            </>
          )}
          <div className={styles.buttons}>
            {canMove(booking) && (
              <Button variant={booking.proposal ? "secondary" : "primary"} onClick={() => setDialog("move")}>
                Move session
              </Button>
            )}
            <Button variant="secondary" onClick={() => setDialog("cancel")}>
              {booking.status === "requested" ? "Withdraw request" : "Cancel session"}
            </Button>
          </div>
        </Card>
      )}
      {tookPlace(booking) && <TipCard booking={booking} />}
      <SessionReviews session={booking} />
      {booking.seriesId !== null && <Series seriesId={booking.seriesId} current={booking.id} />}
      {dialog === "address" && <AddressDialog booking={booking} onClose={() => setDialog(null)} />}
      {dialog === "cancel" && <CancelDialog booking={booking} onClose={() => setDialog(null)} />}
      {dialog === "move" && <MoveDialog booking={booking} onClose={() => setDialog(null)} />}
    </>
  );
}

/** The other sessions that were booked with this one. */
function Series({ seriesId, current }: { seriesId: string; current: string }) {
  return (
    <Card as="section" aria-labelledby="series" className={styles.terms}>
      <h2 id="series" className={styles.name}>
        Your series
      </h2>
      <p>You booked these sessions together. You can move or cancel one, or one and those after it.</p>
      <SeriesSessions seriesId={seriesId} current={current} />
    </Card>
  );
}

function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      {icon}
      <div>{children}</div>
    </div>
  );
}

/** What went back of a paid session that takes place or took place, and where all payments are. */
function PaidFacts({ booking, isEnded }: { booking: OwnBooking; isEnded: boolean }) {
  const paid = paidOf(booking);
  const refund = paid && !isEnded ? refundedText(paid) : "";
  return (
    <>
      {refund !== "" && (
        <div>
          {refund}. {REFUND_DAYS}
        </div>
      )}
      <div>
        <Link to={paths.orders}>See your orders</Link>
      </div>
    </>
  );
}

/** Why a session was ended, what is owed or went back, and a link to other times. */
function Ended({ booking, text }: { booking: OwnBooking; text: string }) {
  const held = heldCardOf(booking);
  const paid = paidOf(booking);
  return (
    <Card as="section" className={styles.terms} aria-label="What happened">
      <p>{text}</p>
      {booking.reason && <p className={styles.userText}>Reason: “{booking.reason}”</p>}
      {held?.refundedCents === 0 ? (
        endedCardText(booking, held) !== "" && <p>{endedCardText(booking, held)}</p>
      ) : paid ? (
        <p>{endedPaymentText(booking, paid)}</p>
      ) : (
        booking.status !== "declined" &&
        booking.status !== "expired" && (
          <p>
            {booking.owedCents > 0
              ? `You owe ${formatMoney(booking.owedCents, booking.currency)}.`
              : "You owe nothing."}
          </p>
        )
      )}
      {packageEndText(booking) && <p>{packageEndText(booking)}</p>}
      <div className={styles.buttons}>
        <Button asChild variant="secondary">
          <a href={serviceTimesUrl(booking.guruLabel, booking.serviceId)}>Choose another time</a>
        </Button>
      </div>
    </Card>
  );
}
